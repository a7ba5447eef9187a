"""The settings of the stack, which the functions read from environment variables that template.yaml sets."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.callers.permissions import Callers, default_callers
from scheduler.core.documents import strict_json
from scheduler.core.documents.setting_values import choice_of
from scheduler.core.history.metrics import MetricsLevel
from scheduler.core.history.notices import NoticeKind
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.jobs.budget import Budget
from scheduler.core.planner.policy import Policy
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from scheduler.errors.internal import BadSetting

_OWN_ACCOUNT = re.compile(r"arn:[a-z-]+:sns:[a-z0-9-]+:([0-9]{12}):.+")
_NAME_MARK = re.compile(r"[a-z][a-z0-9]{1,7}")


@dataclass(frozen=True, slots=True)
class Settings:
    table_name: str
    body_bucket: str
    budget: Budget
    policy: Policy
    name_mark: str
    idle: IdleRule
    idle_topic: str
    notice_topic: str
    notify_on: frozenset[NoticeKind]
    budget_scope: BudgetScope
    guard: GuardMode
    callers: Callers  # while operators have applied no document of callers

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "Settings":
        """Parses the environment. Raises BadSetting with the variable, or the key inside it, and what is allowed."""
        name_mark = _required(env, "NAME_MARK")
        if not _NAME_MARK.fullmatch(name_mark):
            raise BadSetting("NAME_MARK", f"{name_mark!r} is not 2 to 8 lower-case letters and digits")
        budget = Budget.parse(_required(env, "INSTANCE_BUDGET"))
        return cls(
            table_name=_required(env, "TABLE_NAME"),
            body_bucket=_required(env, "BODY_BUCKET"),
            budget=budget,
            policy=Policy.parse(_object_in(env, "POLICY") | {"teams": _object_in(env, "TEAMS")}, budget.limit),
            name_mark=name_mark,
            idle=IdleRule.parse(_object_in(env, "IDLE_GPUS")),
            idle_topic=_required(env, "IDLE_TOPIC"),
            notice_topic=_required(env, "NOTICE_TOPIC"),
            notify_on=frozenset(
                choice_of(NoticeKind, "NOTIFY_ON", name)
                for name in sorted(_required(env, "NOTIFY_ON").split(","))
                if name
            ),
            budget_scope=choice_of(BudgetScope, "BUDGET_SCOPE", _required(env, "BUDGET_SCOPE")),
            guard=choice_of(GuardMode, "GUARD_UNMANAGED_JOBS", _required(env, "GUARD_UNMANAGED_JOBS")),
            callers=_callers(env),
        )


def history_retention(env: Mapping[str, str]) -> timedelta:
    """Returns how long history is kept; only the function that writes it has this variable. Raises BadSetting."""
    days = _required(env, "HISTORY_DAYS")
    if not re.fullmatch("[0-9]{1,5}", days) or not int(days):
        raise BadSetting("HISTORY_DAYS", f"{days!r} is not a number of days from 1")
    return timedelta(days=int(days))


def metrics_level_of(env: Mapping[str, str]) -> MetricsLevel:
    """Returns which metrics to publish; only the two functions that publish have this variable. Raises BadSetting."""
    return choice_of(MetricsLevel, "METRICS", _required(env, "METRICS"))


def _callers(env: Mapping[str, str]) -> Callers:
    """Parses two parameters in one variable, since a function's environment is small. Neither has blanks."""
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
    return default_callers(account, tuple(patterns), f"arn:*:iam::{account}:role/{execution_roles}")


def _object_in(env: Mapping[str, str], name: str) -> dict[str, Any]:
    try:
        value = strict_json.loads(_required(env, name))
    except (ValueError, RecursionError) as error:
        raise BadSetting(name, f"is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise BadSetting(name, "is not a JSON object")
    return value


def _required(env: Mapping[str, str], name: str) -> str:
    try:
        return env[name]
    except KeyError as error:
        raise BadSetting(name, "is not set") from error
