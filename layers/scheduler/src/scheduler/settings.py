"""The stack's settings. The functions read them from environment variables that template.yaml sets."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TypeVar

from scheduler.core.callers.hosted_page import HostedPage
from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.callers.permissions import Callers
from scheduler.core.history.metrics import MetricsLevel
from scheduler.core.jobs.budget import Budget
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from scheduler.errors.internal import BadSetting

_OWN_ACCOUNT = re.compile(r"arn:[a-z-]+:sns:[a-z0-9-]+:([0-9]{12}):.+")
_Choice = TypeVar("_Choice", bound=StrEnum)
_NAME_MARK = re.compile(r"[a-z][a-z0-9]{1,7}")


class Switch(StrEnum):
    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class Settings:
    table_name: str
    body_bucket: str
    budget: Budget
    name_mark: str
    idle_topic: str
    notice_topic: str
    mail_topic: str
    budget_scope: BudgetScope
    guard: GuardMode
    webhook_hosts: frozenset[str]
    callers: Callers  # operators and execution roles; the configuration has the entries

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "Settings":
        """Parses the environment. Raises BadSetting, which names the variable or its key, and the allowed values."""
        name_mark = _required(env, "NAME_MARK")
        if not _NAME_MARK.fullmatch(name_mark):
            raise BadSetting("NAME_MARK", f"{name_mark!r} is not 2 to 8 lower-case letters and digits")
        return cls(
            table_name=_required(env, "TABLE_NAME"),
            body_bucket=_required(env, "BODY_BUCKET"),
            budget=Budget.parse(_required(env, "INSTANCE_BUDGET")),
            name_mark=name_mark,
            idle_topic=_required(env, "IDLE_TOPIC"),
            notice_topic=_required(env, "NOTICE_TOPIC"),
            mail_topic=_required(env, "MAIL_TOPIC"),
            budget_scope=_choice_of(BudgetScope, "BUDGET_SCOPE", _required(env, "BUDGET_SCOPE")),
            guard=_choice_of(GuardMode, "GUARD_UNMANAGED_JOBS", _required(env, "GUARD_UNMANAGED_JOBS")),
            webhook_hosts=webhook_hosts_in(env),
            callers=_callers(env),
        )


def webhook_hosts_in(env: Mapping[str, str]) -> frozenset[str]:
    """Returns the hosts that webhooks may use; none if webhooks are off. Raises BadSetting."""
    return frozenset(filter(None, _required(env, "WEBHOOK_HOSTS").split(",")))


def history_retention(env: Mapping[str, str]) -> timedelta:
    """Returns how long history is kept; only the function that writes it has this variable. Raises BadSetting."""
    days = _required(env, "HISTORY_DAYS")
    if not re.fullmatch("[0-9]{1,5}", days) or not int(days):
        raise BadSetting("HISTORY_DAYS", f"{days!r} is not a number of days, 1 or more")
    return timedelta(days=int(days))


def metrics_level_of(env: Mapping[str, str]) -> MetricsLevel:
    """Returns which metrics to publish; only the two functions that publish have this variable. Raises BadSetting."""
    return _choice_of(MetricsLevel, "METRICS", _required(env, "METRICS"))


def callbacks_are_on(env: Mapping[str, str]) -> bool:
    """Returns whether jobs may have callbacks; only the API function has this variable. Raises BadSetting."""
    return _choice_of(Switch, "CALLBACKS", _required(env, "CALLBACKS")) is Switch.ON


def hosted_page_of(env: Mapping[str, str]) -> HostedPage | None:
    """Returns the hosted page; None if there is none. Only the API function has this variable. Raises BadSetting."""
    text = _required(env, "HOSTED_PAGE")
    try:
        return HostedPage.parse(text) if text else None
    except ValueError as error:
        raise BadSetting("HOSTED_PAGE", str(error)) from error


def _callers(env: Mapping[str, str]) -> Callers:
    """Parses two parameters in one variable, because a function's environment is small. Neither contains a space."""
    operators, _, execution_roles = _required(env, "CALLERS").partition(" ")
    topic = _OWN_ACCOUNT.fullmatch(_required(env, "IDLE_TOPIC"))
    if topic is None:
        raise BadSetting("IDLE_TOPIC", "is not the ARN of a topic")
    account = topic[1]  # the stack's own
    patterns = []
    for text in operators.split(","):
        try:
            patterns.append(PrincipalPattern.parse(text))
        except ValueError as error:
            raise BadSetting("CALLERS", f"Operators: {text!r} {error}") from error
    return Callers(account, tuple(patterns), f"arn:*:iam::{account}:role/{execution_roles}")


def _choice_of(choices: type[_Choice], setting: str, text: str) -> _Choice:
    """Returns the choice that the text names. Raises BadSetting, which lists all choices."""
    try:
        return choices(text)
    except ValueError as error:
        raise BadSetting(setting, f"{text!r} is not one of {', '.join(choices)}") from error


def _required(env: Mapping[str, str], name: str) -> str:
    try:
        return env[name]
    except KeyError as error:
        raise BadSetting(name, "is not set") from error
