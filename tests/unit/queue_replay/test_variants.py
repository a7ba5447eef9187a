"""The configurations that `--set` combines."""

import click
import pytest

from queue_replay.variants import Setting, variants


def _found(*texts: str) -> dict[str, tuple[int, int]]:
    found = variants({"policy": {"protected_run_time": "3h"}}, (), [Setting.parse(text) for text in texts])
    policies = {title: variant.configuration.policy for title, variant in found.items()}
    return {title: (policy.patience, policy.protected_run_time) for title, policy in policies.items()}


def test_each_combination_is_a_variant_and_keeps_the_other_members() -> None:
    assert _found("policy.patience=5m,1h", "policy.preemptions_per_job=0,2") == {
        "patience=5m preemptions_per_job=0": (300, 10_800),
        "patience=5m preemptions_per_job=2": (300, 10_800),
        "patience=1h preemptions_per_job=0": (3600, 10_800),
        "patience=1h preemptions_per_job=2": (3600, 10_800),
    }


def test_without_settings_the_configuration_is_replayed_once() -> None:
    assert _found() == {"replayed": (300, 10_800)}


def test_a_setting_leads_into_teams() -> None:
    own = {"shares": {"vision": {"members": ["*"], "weight": 1}}}
    found = variants(own, (), [Setting.parse("shares.vision.weight=2,3")])
    assert [variant.configuration.policy.teams[0].weight for variant in found.values()] == [2, 3]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("policy.patience", "is not of the form"),
        ("patience=5m", "is not of the form"),
        ("policies.patience=5m", "is not of the form"),
        ("policy.patience=5m,", "is not of the form"),
        ("policy.patience=5", "policy.patience must be a duration"),
        ("policy.patients=5m", "policy.patients is not a known member"),
        ("policy.patience.most=5m", "patience has no members"),
        ("policy.patience=[", "is not a value"),
        ("policy.patience=" + ",".join(f"{minutes}m" for minutes in range(101)), "These are 101 replays"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(text: str, problem: str) -> None:
    own = {"policy": {"patience": "1h"}}
    with pytest.raises(click.BadParameter, match=problem.replace("[", r"\[")):
        variants(own, (), [Setting.parse(text)])
