"""Draws sections of the configuration for random worlds, as operators write them."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from random import Random
from typing import Any

from support.simulation.judges.spending import MEASURES, SCOPES, TEAMS, TWO_TEAMS
from support.simulation.submissions.training_requests import LONGEST_POOL, TYPES

_RULES: tuple[tuple[float, dict[str, Any]], ...] = (  # chance of each rule to be in the section
    (0.1, {"name": "small", "kind": "instances_per_job", "most": 1, "applies_to": {"name": "*"}}),
    (0.1, {"name": "short", "kind": "max_runtime", "at_most": "1h", "applies_to": {"name": "*"}}),
    (0.8, {"name": "tagged", "kind": "required_tags", "tags": {"team": {}}, "applies_to": {"name": "theirs-*"}}),
)

NARROW_JOBS_ONLY: dict[str, Any] = {"rules": [_RULES[0][1] | {"name": "narrow", "mode": "enforce"}], "exemptions": []}


def random_rules(random: Random, now: float) -> dict[str, Any]:
    modes = ["enforce", "enforce", "warn"]
    rules = [rule | {"mode": random.choice(modes)} for often, rule in _RULES if random.random() < often]
    exemptions = _exemptions(random, now, [rule["name"] for rule in rules])
    defaults = _random_defaults(Random(f"defaults {rules} {now}"))  # noqa: S311 - settings, not secrets
    automl = _random_automl_rule(Random(f"automl {rules} {now}"))  # noqa: S311 - same
    return {"rules": [*rules, *defaults, *automl], "exemptions": exemptions}


def _random_automl_rule(random: Random) -> list[dict[str, Any]]:
    mode = random.choice(["enforce", "enforce", "warn", "off", ""])
    rule = {"name": "automl", "kind": "no_automl", "mode": mode, "applies_to": {"name": "*"}}
    return [rule] if mode else []


def random_approval_rule(seed: object, names: str) -> dict[str, Any]:
    """Draws a rule for jobs with such names, in worlds in which large jobs need an approval."""
    random = Random(f"approval {seed}")  # noqa: S311 - settings, not secrets
    most = random.choice([0, 1])
    return {
        "name": "large",
        "kind": "approval",
        "above_instances": most,
        "mode": random.choice(["enforce", "enforce", "enforce", "warn"]),
        "applies_to": {"name": names},
    }


def _random_defaults(random: Random) -> list[dict[str, Any]]:
    """Draws rules that complete requests. All requests have a time limit, which must stay."""
    limit = {"name": "limit", "kind": "set_default", "max_runtime": random.choice(["1h", "1d"])}
    tags = {"name": "cost", "kind": "append_tags", "tags": {"cost": random.choice(["1", "2"])}}
    return [rule | {"mode": "enforce", "applies_to": {"name": "*"}} for rule in (limit, tags) if random.random() < 0.3]


def random_pools(random: Random, _now: float) -> list[dict[str, Any]]:
    """Draws rules that allow no pools, only requested pools, or more."""
    keep = {"keep": f"{LONGEST_POOL // 60}m"}
    caps: dict[str, dict[str, Any]] = {"off": {}, "reuse": keep, "hold": keep | {"dollars": 100}}
    uses = {kind: random.choice(["off", "reuse", "hold", "hold", "hold"]) for kind in TYPES}
    return [{"instance_type": kind, "use": use, **caps[use]} for kind, use in uses.items()]


def random_policy(random: Random, _now: float) -> dict[str, Any]:
    policy = {
        "patience": random.choice(["0s", "0s", "0s", "1m"]),
        "protected_run_time": random.choice(["0s", "0s", "0s", "2m"]),
        "preemptions_per_job": random.choice([1, 1000]),
        "notice": random.choice(["0s", "30s", "2m", "2m"]),
    }
    return policy | {"restart_time": Random(str(policy)).choice(["0s", "0s", "5m"])}  # noqa: S311 - no secret


def random_interactive_cap(policy: dict[str, Any]) -> dict[str, Any]:
    """Draws a member of the policy for worlds with interactive jobs, depending on its other members."""
    random = Random(f"interactive cap {policy}")  # noqa: S311 - settings, not secrets
    return {"interactive_at_most": {kind: random.choice([1, 1, 2]) for kind in TYPES}}


def random_costs_of_growth(seed: int) -> dict[str, Any]:
    """Draws members of the policy for worlds with elastic jobs. A restart of three hours allows no growth."""
    random = Random(f"growth {seed}")  # noqa: S311 - worlds, not secrets
    restart, protected = random.choice(["0s", "0s", "5m", "3h"]), random.choice(["0s", "10m"])
    return {"restart_time": restart, "protected_run_time": protected, "preemptions_per_job": 1000}


def random_idle_rule(random: Random, now: float) -> dict[str, Any]:
    rule = {
        "action": random.choice(["off", "warn", "stop", "stop", "stop", "stop", "warn-then-stop"]),
        "window": random.choice(["1m", "5m"]),  # an alarm of whole periods proves a window at once
        "grace": random.choice(["0s", "2m"]),
    }
    rule |= {"exempt_for": Random(str(rule)).choice(["5m", "10m"])}  # noqa: S311 - settings, not secrets
    return rule | _random_floor(rule, Random(f"floor {rule} {now}"))  # noqa: S311 - settings, not secrets


def _random_floor(rule: dict[str, Any], random: Random) -> dict[str, Any]:
    if random.random() < 0.2:
        return {}
    stops = "stop" in rule["action"]
    return {
        "minimum_utilisation": 60,
        "underused": random.choice(["warn", "warn-then-stop", "warn-then-stop"]) if stops else "warn",
    }


def random_hang_rule(idle_rule: dict[str, Any]) -> dict[str, Any]:
    """Draws a rule for hangs, depending on the rule for idle GPUs."""
    drawn_first = {name: idle_rule[name] for name in ("action", "window", "grace", "exempt_for")}
    random = Random(f"hangs {drawn_first}")  # noqa: S311 - settings, not secrets
    return {
        "action": random.choice(["off", "warn", "stop", "stop-and-retry", "stop-and-retry"]),
        "window": "5m",
        "grace": random.choice(["0s", "1m"]),
        "exempt_for": random.choice(["5m", "10m"]),
    }


def random_nan_rule(idle_rule: dict[str, Any]) -> dict[str, Any]:
    """Draws a rule for losses that are NaN, depending on the rule for idle GPUs."""
    random = Random(f"nan {idle_rule}")  # noqa: S311 - settings, not secrets
    return {
        "action": random.choice(["off", "warn", "warn-then-stop", "warn-then-stop", "warn-then-stop"]),
        "window": "5m",
        "grace": random.choice(["0s", "1m"]),
        "values": random.choice([1, 3]),
    }


def random_shares(random: Random, _now: float) -> dict[str, Any]:
    """Draws a weight and a quota.

    A job within its team's quota can preempt jobs beyond their teams' quotas, whatever their priority.
    """
    (members,) = TEAMS.values()
    quota = {kind: 1 for kind in TYPES if random.random() < 0.3}  # each stack has one of each type
    return dict.fromkeys(TEAMS, members | {"weight": random.choice([1, 2, 0.5]), "quota": quota})


def random_shares_of_two_teams(random: Random, budget: Mapping[str, int]) -> dict[str, Any]:
    """Draws two teams whose quotas fit the stack's budget, and limits on lending and borrowing."""
    free, shares = Counter(budget), dict[str, Any]()
    for name, members in TWO_TEAMS.items():
        quota = {kind: random.randint(0, free[kind]) for kind in TYPES}
        free.subtract(quota)
        lend = {kind: random.randint(0, count) for kind, count in quota.items()}
        borrow = {kind: random.choice([0, 1, 1, 2]) for kind in TYPES}
        ceiling = {kind: count + random.choice([0, 1, 1, 2]) for kind, count in quota.items()}
        limits = {"lend": lend, "borrow_at_most": borrow, "ceiling": ceiling}
        chosen = {limit: counts for limit, counts in limits.items() if random.random() < 0.5}
        shares[name] = members | {"quota": quota} | chosen | _team_settings(Random(f"{name} {quota} {chosen}"))  # noqa: S311 - no secret
    return shares


def _team_settings(random: Random) -> dict[str, Any]:
    """Draws team settings that replace those of the policy. Each is set in only a quarter of the sections, because a
    combination of all settings would leave few competing jobs.
    """
    settings = {
        "ordering": random.choice(["fifo", "shortest"]),
        "patience": random.choice(["0s", "3m"]),
        "protected_run_time": random.choice(["0s", "2m"]),
        "preemptions_per_job": random.choice([1, 1000]),
        "preempt_within": random.choice(["lower_priority", "never"]),
        "priority_ceiling": random.choice([2, 5]),
        "submitters": [pattern for members in TWO_TEAMS.values() for pattern in members["members"]],
    }
    drawn = {name: value for name, value in settings.items() if random.random() < 0.25}
    return drawn | ({"owners": "fair"} if Random(f"owners {drawn}").random() < 0.5 else {})  # noqa: S311 - no secret


def random_retries(random: Random, _now: float) -> dict[str, Any]:
    internal = {"retries": random.choice([0, 3]), "delay": random.choice(["0s", "1m"])}
    capacity = {"retries": 1000, "delay": random.choice(["1m", "2m"]), "longest_delay": random.choice(["10m", "30m"])}
    leaving = {"allowed": random.random() < 0.5, "interruptions": random.choice([1, 3]), "wait": "10m"}
    return {"treatments": {"internal": internal, "capacity": capacity}, "leaving_spot": leaving}


def random_limit(seed: int) -> dict[str, Any]:
    """Draws a world's only spending limit."""
    random = Random(f"limit {seed}")  # noqa: S311 - worlds, not secrets
    kind, measure = random.choice(SCOPES), random.choice(MEASURES)
    each = "project" if kind == "tag" else "*"
    most = random.choice([0.02, 0.05, 0.2, 0.5])
    return {"time_zone": "UTC", "limits": [{"name": "each", kind: each, measure: most}]}


def without_limits(spending: dict[str, Any]) -> dict[str, Any]:
    """Returns the section with limits that no job reaches."""
    return spending | {
        "limits": [
            {name: 10**9 if name in MEASURES else value for name, value in limit.items()}
            for limit in spending["limits"]
        ]
    }


def _exemptions(random: Random, now: float, rules: list[str]) -> list[dict[str, Any]]:
    """In half of the sections, exempts half of the jobs."""
    if not rules or random.random() < 0.5:
        return []
    ends = datetime.fromtimestamp(now + random.choice([60, 600, 7200]), UTC)
    exemption = {"jobs": {"name": "*[13579]"}, "owner": "ops", "reason": "a deadline", "expires_at": str(ends)}
    return [{"rules": rules, **exemption}]
