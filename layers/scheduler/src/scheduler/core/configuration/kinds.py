"""The registry of section kinds. To add one, write its schema, list it here, and add a member to Configuration."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from scheduler.core.calendar import schema as calendar
from scheduler.core.calendar.calendar import BelowQuotas
from scheduler.core.callers import schema as callers
from scheduler.core.configuration.configuration import Configuration, ConfigVersion
from scheduler.core.guardrails import schema as rules
from scheduler.core.history import schema as notices
from scheduler.core.idle_gpus import schema as idle_gpus
from scheduler.core.idle_gpus.hangs import schema as hangs
from scheduler.core.idle_gpus.nan_losses import schema as nan
from scheduler.core.jobs.budget import Budget
from scheduler.core.planner import schema as policy
from scheduler.core.planner import shares
from scheduler.core.planner.policy import Policy
from scheduler.core.retries import schema as retries
from scheduler.core.sections.schema import BadSection, ConfigKind, FieldProblem, Schema
from scheduler.core.spending import schema as spending
from scheduler.core.spending.prices import schema as prices
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.core.spending.prices.usage_weights import UsageWeights
from scheduler.core.warm_pools import schema as pools


@dataclass(frozen=True, slots=True)
class Stack:
    """The stack's settings, against which a configuration is checked."""

    budget: Budget
    prices: PriceList  # the queue's built-in prices
    webhook_hosts: frozenset[str] = frozenset()  # hosts that webhooks may use


Sections = Mapping[str, Any]  # the content of each section by its kind, as plain data

SCHEMAS: Mapping[ConfigKind, Schema[Any]] = {
    ConfigKind.RULES: rules.SCHEMA,
    ConfigKind.CALLERS: callers.SCHEMA,
    ConfigKind.CALENDAR: calendar.SCHEMA,
    ConfigKind.POOLS: pools.SCHEMA,
    ConfigKind.PRICES: prices.SCHEMA,
    ConfigKind.SPENDING: spending.SCHEMA,
    ConfigKind.POLICY: policy.SCHEMA,
    ConfigKind.SHARES: shares.SCHEMA,
    ConfigKind.IDLE_GPUS: idle_gpus.SCHEMA,
    ConfigKind.HANGS: hangs.SCHEMA,
    ConfigKind.NAN: nan.SCHEMA,
    ConfigKind.RETRIES: retries.SCHEMA,
    ConfigKind.NOTICES: notices.SCHEMA,
}

#: Checks of a section's value beyond its structure, against the rest of its configuration and the stack.
_CHECKS: Mapping[ConfigKind, Callable[[Configuration, Stack, datetime], Iterable[FieldProblem]]] = {
    ConfigKind.RULES: lambda new, *_: rules.problems(new.rules),
    ConfigKind.CALLERS: lambda new, *_: callers.problems(new.callers),
    ConfigKind.CALENDAR: lambda new, stack, now: (
        *calendar.problems(new.calendar, stack.budget),
        *(_windows_below_quotas(new, stack, now) if new.calendar.below_quotas is BelowQuotas.REFUSE else ()),
    ),
    ConfigKind.POOLS: lambda new, stack, _: pools.problems(
        new.pools, _largest_budget(new, stack).types, new.prices.over(stack.prices)
    ),
    ConfigKind.PRICES: lambda new, _, now: prices.problems(new.prices, now),
    ConfigKind.SPENDING: lambda new, stack, _: spending.problems(
        new.spending, [team.name for team in new.teams], stack.budget.types, new.prices.over(stack.prices)
    ),
    ConfigKind.SHARES: lambda new, stack, _: shares.problems(new.teams, stack.budget),
    ConfigKind.NAN: lambda new, *_: nan.problems(new.nan),
    ConfigKind.RETRIES: lambda new, *_: retries.problems(new.retries),
    ConfigKind.NOTICES: lambda new, stack, _: notices.problems(
        new.notices, [team.name for team in new.teams], stack.webhook_hosts
    ),
}


#: The kinds that decide which jobs may start. Prices count, because a rule may ask for an approval above a cost.
JUDGING = (ConfigKind.RULES, ConfigKind.CALLERS, ConfigKind.SHARES, ConfigKind.PRICES)


def parse(sections: Sections) -> Configuration:
    """Returns the configuration with these sections, and with defaults for the other sections. Raises BadSection."""
    found: list[FieldProblem] = []
    values: dict[str, Any] = {}
    for kind, schema in SCHEMAS.items():
        try:
            values[kind] = schema.parse(sections.get(kind, schema.default))
        except BadSection as error:
            found += [(place(kind, path), problem) for path, problem in error.problems]
    if found:
        raise BadSection(found)
    teams, settings = values.pop(ConfigKind.SHARES), values[ConfigKind.POLICY]
    # Prices from any region can serve as weights: only their ratios count.
    weights = UsageWeights(settings.usage_weights, values[ConfigKind.PRICES].over(SNAPSHOT))
    return Configuration(**values | {ConfigKind.POLICY: Policy(**asdict(settings), teams=teams, weights=weights)})


@lru_cache(maxsize=4)
def read(sections: str) -> Configuration:
    """Parses a stored version's sections, cached because each call and each cycle reads them. Raises BadSection."""
    try:
        return parse(json.loads(sections))
    except BadSection:
        raise
    except Exception as error:  # the conversion of a broken record may raise any exception
        raise BadSection([("", str(error))]) from error


def content_of(version: ConfigVersion) -> dict[str, Any] | None:
    """Returns the content of each section of a stored version, by kind; None if it cannot be read."""
    try:
        content = json.loads(version.sections)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


@lru_cache(maxsize=4)
def judging_digest(version: ConfigVersion) -> str:
    """Returns a digest of the sections that decide which jobs may start, to detect versions that judge jobs alike."""
    content = content_of(version) or {}
    sections = [content.get(kind, SCHEMAS[kind].default) for kind in JUDGING]
    return sha256(json.dumps(sections, sort_keys=True).encode()).hexdigest()[:16]


def problems(configuration: Configuration, stack: Stack, now: datetime) -> Iterator[FieldProblem]:
    """Yields the problems of a configuration whose structure is valid."""
    for kind, check in _CHECKS.items():
        yield from ((place(kind, path), problem) for path, problem in check(configuration, stack, now))


def warnings(configuration: Configuration, stack: Stack, now: datetime) -> Iterator[FieldProblem]:
    """Yields a warning for each part that lacks its usual effect. Such parts are not refused, so old files can be
    applied again.
    """
    for path, problem in rules.has_expired(configuration.rules, now):
        yield place(ConfigKind.RULES, path), problem
    for path, problem in calendar.has_ended(configuration.calendar, now):
        yield place(ConfigKind.CALENDAR, path), problem
    for path, problem in _windows_below_quotas(configuration, stack, now):
        yield place(ConfigKind.CALENDAR, path), problem


def _windows_below_quotas(configuration: Configuration, stack: Stack, now: datetime) -> Iterator[FieldProblem]:
    return shares.windows_below_quotas(configuration.calendar, configuration.teams, stack.budget, now)


def place(kind: str, path: str) -> str:
    """Returns the path from the top of a file to a member of a section."""
    return f"{kind}{path}" if not path or path.startswith("[") else f"{kind}.{path}"


def kind_of(path: str) -> str:
    """Returns the kind of the section that a path from the top of a file leads into."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def _largest_budget(configuration: Configuration, stack: Stack) -> Budget:
    """Returns the largest count of each type in any window, including windows that have ended."""
    counts = [window.instance_counts(stack.budget) for window in configuration.calendar.windows]
    largest = stack.budget
    for named in counts:
        largest = largest.maximum_with(Budget.of(stack.budget.as_dict() | named))
    return largest
