"""Rules that complete requests: their sections, and the requests that they complete."""

from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid
from scheduler.core.guardrails.subject import Subject
from scheduler.core.sections.schema import ConfigKind
from support.account.simulated_queue import request
from support.builders.configurations import a_configuration
from support.builders.invalid_sections import problems_of
from support.builders.jobs import NOON
from support.builders.rules import a_rule, rule_set


def completed(given: dict[str, Any], *rules: dict[str, Any]) -> tuple[Any, list[str]]:
    found, notes = a_configuration(rules=rule_set(*rules)).rules.completed(Subject("resnet", given), NOON)
    return found, [note.field for note in notes]


def test_each_member_is_set_only_if_it_is_absent_and_the_first_rule_wins() -> None:
    first = a_rule("set_default", name="first", volume_key="k1", traffic_encryption=True)
    second = a_rule("set_default", name="second", volume_key="k2", output_key="k2", max_runtime="1h")
    given = request("resnet")
    found, notes = completed(given, first, second)
    assert found == {
        **given,
        "ResourceConfig": {**given["ResourceConfig"], "VolumeKmsKeyId": "k1"},
        "OutputDataConfig": {**given["OutputDataConfig"], "KmsKeyId": "k2"},
        "EnableInterContainerTrafficEncryption": True,
    }
    assert notes == [
        "EnableInterContainerTrafficEncryption",
        "ResourceConfig.VolumeKmsKeyId",
        "OutputDataConfig.KmsKeyId",
    ]


def test_the_request_itself_does_not_change() -> None:
    given = {**request("resnet"), "Tags": [{"Key": "a", "Value": "1"}]}
    completed(given, a_rule("append_tags", tags={"a": "2", "b": "3"}), a_rule("set_default", name="x", output_key="k"))
    assert (given["Tags"], "KmsKeyId" in given["OutputDataConfig"]) == ([{"Key": "a", "Value": "1"}], False)


def test_only_requests_for_training_jobs_get_defaults_of_members_and_all_get_tags() -> None:
    given = {"ProcessingJobName": "prepare", "Tags": None}
    rules = a_rule("set_default", max_runtime="1h"), a_rule("append_tags", name="tags", tags={"a": "1"})
    assert completed(given, *rules) == ({**given, "Tags": [{"Key": "a", "Value": "1"}]}, ["Tags"])


@pytest.mark.parametrize(
    ("rule", "field", "problem"),
    [
        (a_rule("set_default"), "name", "sets no default"),
        (a_rule("set_default", max_runtime="29d"), "max_runtime", "must be at most 28d"),
        (a_rule("set_default", max_runtime="1d", mode="warn"), "mode", "must be enforce or off"),
        (a_rule("append_tags", tags={}), "tags", "must name 1 to 48 tags, not 0"),
        (a_rule("append_tags", tags={"queue:priority": "9"}), "tags", "begin with none of aws:, queue:, sagequeue:"),
        (a_rule("append_tags", tags={"sagequeue:job": "9"}), "tags", "begin with none of aws:, queue:, sagequeue:"),
        (a_rule("append_tags", tags={"a": "x" * 257}), "tags", "above 256 characters"),
        (a_rule("append_tags", tags={"dept": "R&D, Berlin"}), "tags", "the value 'R&D, Berlin' of dept: use letters"),
        (a_rule("append_tags", tags={"R&D": "yes"}), "tags", "the key 'R&D': use letters"),
        (a_rule("append_tags", tags={"note": "two\nlines"}), "tags", "use letters, digits, spaces and _.:/=+-@"),
        (a_rule("set_default", volume_key="alias/our key"), "volume_key", "is 'alias/our key': use letters"),
        (a_rule("set_default", output_key="k" * 2049), "output_key", "at most 2048"),
    ],
)
def test_a_rule_that_completes_nothing_or_wrongly_is_refused(rule: dict[str, Any], field: str, problem: str) -> None:
    (found,) = problems_of(ConfigKind.RULES, rule_set(rule))
    assert (found.field, problem in found.message) == (f"rules.rules[0].{field}", True), found


def test_keys_and_tags_in_each_form_that_sagemaker_accepts_are_accepted() -> None:
    arn = "arn:aws:kms:eu-west-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    keys = a_rule("set_default", name="keys", volume_key=arn, output_key="alias/our_key")
    tags = a_rule("append_tags", name="tags", tags={"größe": "Straße 5\u00a0٣", "who": "ada@example.org"})
    given, _ = completed(request("resnet"), keys, tags)
    refuse_invalid(given)
