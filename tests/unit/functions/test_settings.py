"""Settings of the stack that cannot be used are refused, with a message."""

import pytest

from scheduler.core.callers.permissions import Verb
from scheduler.core.jobs.principal import principal_of
from scheduler.errors.internal import BadSetting
from scheduler.settings import Settings, callbacks_are_on

ENV = {
    "TABLE_NAME": "queue",
    "BODY_BUCKET": "bodies",
    "INSTANCE_BUDGET": "ml.g5.xlarge=4",
    "IDLE_TOPIC": "arn:aws:sns:eu-west-1:123456789012:idle",
    "NOTICE_TOPIC": "notices",
    "MAIL_TOPIC": "mail",
    "GUARD_UNMANAGED_JOBS": "off",
    "NAME_MARK": "sq",
    "WEBHOOK_HOSTS": "hooks.example.org,hooks.slack.com",
    "BUDGET_SCOPE": "account",
    "CALLERS": "role/Platform,user/ada *SageMaker*",
}


def test_the_operators_of_the_stack_are_read_with_its_account() -> None:
    callers = Settings.from_env(ENV).callers
    operator = principal_of("arn:aws:sts::123456789012:assumed-role/Platform/x")
    assert callers.verbs_of(operator) == {Verb.OPERATE}
    assert callers.execution_roles == "arn:*:iam::123456789012:role/*SageMaker*"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("CALLERS", "role/Platform, *SageMaker*", "CALLERS: Operators: '' must be role/NAME"),
        ("CALLERS", "assumed-role/Platform/ada *SageMaker*", "CALLERS: Operators: .* names a session"),
        ("IDLE_TOPIC", "idle", "IDLE_TOPIC: is not the ARN of a topic"),
        ("BUDGET_SCOPE", "region", "BUDGET_SCOPE: 'region' is not one of queue, account"),
        ("GUARD_UNMANAGED_JOBS", "maybe", "GUARD_UNMANAGED_JOBS: 'maybe' is not one of"),
        ("NAME_MARK", "Sq", "NAME_MARK: 'Sq' is not 2 to 8 lower-case letters and digits"),
        ("INSTANCE_BUDGET", "ml.g5.xlarge", "ml.g5.xlarge"),
    ],
)
def test_an_unusable_value_is_refused_with_its_setting(name: str, text: str, problem: str) -> None:
    with pytest.raises(BadSetting, match=problem):
        Settings.from_env(ENV | {name: text})


@pytest.mark.parametrize("name", ENV)
def test_a_missing_setting_is_named(name: str) -> None:
    with pytest.raises(BadSetting, match=f"{name}: is not set"):
        Settings.from_env({key: value for key, value in ENV.items() if key != name})


def test_callbacks_are_on_or_off() -> None:
    assert callbacks_are_on({"CALLBACKS": "on"})
    assert not callbacks_are_on({"CALLBACKS": "off"})
    with pytest.raises(BadSetting, match="CALLBACKS: 'maybe' is not one of off, on"):
        callbacks_are_on({"CALLBACKS": "maybe"})
