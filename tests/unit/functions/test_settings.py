"""Settings of the stack that cannot be used are refused, with a message."""

import pytest

from scheduler.errors.internal import BadSetting
from scheduler.settings import Settings

ENV = {
    "TABLE_NAME": "queue",
    "BODY_BUCKET": "bodies",
    "INSTANCE_BUDGET": "ml.g5.xlarge=4",
    "POLICY": '{"patience": 60}',
    "TEAMS": '{"vision": {"members": ["*ada"], "guarantee": {"ml.g5.xlarge": 4}}}',
    "IDLE_GPUS": "{}",
    "IDLE_TOPIC": "arn:aws:sns:eu-west-1:123456789012:idle",
    "NOTICE_TOPIC": "notices",
    "NOTIFY_ON": "",
    "GUARD_UNMANAGED_JOBS": "off",
    "NAME_MARK": "sq",
    "BUDGET_SCOPE": "account",
    "CALLERS": "role/Platform,user/ada *SageMaker*",
}


def test_the_policy_is_read_with_its_teams() -> None:
    policy = Settings.from_env(ENV).policy
    assert (policy.patience, [team.name for team in policy.teams]) == (60, ["vision"])


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("POLICY", "patience=60", "POLICY: is not JSON"),
        ("POLICY", "[]", "POLICY: is not a JSON object"),
        ("POLICY", '{"patience": 604801}', "patience: 604801 is not a number from 0 to 604800"),
        ("POLICY", '{"patiense": 60}', "patiense: is not a policy setting"),
        ("TEAMS", "{'vision': 1}", "TEAMS: is not JSON"),
        ("TEAMS", '{"a": ' * 900, "TEAMS: is not JSON"),
        ("TEAMS", '{"a": {"weight": 1, "weight": 2}}', "TEAMS: is not JSON: weight is given twice"),
        ("TEAMS", '{"a": {"members": ["*"], "weight": NaN}}', "TEAMS: is not JSON: NaN is not a JSON number"),
        ("IDLE_GPUS", '{"minutes": 7.5}', "minutes: 7.5 is not a whole number"),
        ("IDLE_GPUS", '{"grace_minutes": 0.5}', "grace_minutes: 0.5 is not a whole number"),
        ("CALLERS", "role/Platform, *SageMaker*", "CALLERS: Operators: '' must be role/NAME"),
        ("CALLERS", "assumed-role/Platform/ada *SageMaker*", "CALLERS: Operators: .* names a session"),
        ("IDLE_TOPIC", "idle", "IDLE_TOPIC: is not the ARN of a topic"),
        ("BUDGET_SCOPE", "region", "BUDGET_SCOPE: 'region' is not one of queue, account"),
        ("INSTANCE_BUDGET", "ml.g5.xlarge=3", r"teams.\*.guarantee.ml.g5.xlarge: 4 in all is not from 0 to 3"),
    ],
)
def test_an_unusable_value_is_refused_with_its_setting(name: str, text: str, problem: str) -> None:
    with pytest.raises(BadSetting, match=problem):
        Settings.from_env(ENV | {name: text})


@pytest.mark.parametrize("name", ENV)
def test_a_missing_setting_is_named(name: str) -> None:
    with pytest.raises(BadSetting, match=f"{name}: is not set"):
        Settings.from_env({key: value for key, value in ENV.items() if key != name})
