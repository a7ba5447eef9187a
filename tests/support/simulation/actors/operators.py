"""Plays operators, who change the budget and the configuration, and drain the queue for a while."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from random import Random
from typing import Any

from scheduler.adapters.dynamodb.config_store import DynamoDBControlStore
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.jobs.budget import Budget
from support.account.function_calls import ADA, OLGA, Answer
from support.dynamodb.client import TableClient
from support.simulation.actors import random_sections
from support.simulation.actors.context import APPROVED_NAMES, ActorContext, Acts, Emphasis
from support.simulation.actors.random_calendars import WAYS, random_windows, written
from support.simulation.judges.invariants import Invariants
from support.simulation.submissions.training_requests import TYPES
from support.simulation.submissions.user_requests import Applied

_DRAWN: Mapping[str, Callable[[Random, float], Any]] = {
    "rules": random_sections.random_rules,
    "pools": random_sections.random_pools,
    "policy": random_sections.random_policy,
    "idle_gpus": random_sections.random_idle_rule,
    "shares": random_sections.random_shares,
    "retries": random_sections.random_retries,
}


class Operators:
    def __init__(self, context: ActorContext, invariants: Invariants) -> None:
        self._context = context
        self._account, self._random = context.account, context.random
        self._invariants = invariants
        self._rests = False

    def acts(self) -> Acts:
        # Rules change often where unmanaged jobs are checked, so that some of these jobs break a rule.
        rules = 0.4 if self._account.settings["GUARD_UNMANAGED_JOBS"] != "off" else 0.15
        by_calendar = self._context.emphasis is Emphasis.CALENDAR
        return {
            **({self.change_calendar: 0.05} if by_calendar else {self._change_budget: 0.2}),
            self.change_rules: rules,
            self.change_pool_rules: 0.2,
            **({self.change_shares: 0.4} if self._context.in_two_teams else {}),
            self._change_some_sections: 0.2,
            self._roll_back: 0.05,
            self._drain: 0.1,
            **({self._approve: 2} if self._context.has_approvals else {}),
            self._resume: 0.3,
        }

    def rest(self) -> None:
        """Restores the budget, and ends calendar and spending limits, at once and without a call.

        Calls that are still running cannot undo this: they keep these sections, or are refused because they replace
        another version. In worlds that stop no unmanaged jobs, a rule then forbids wide jobs, so that waiting jobs are
        parked.
        """
        self._rests = True
        self._set_budget(None, None)
        sections = {"calendar": written((), "finish")}
        if spending := self._account.configuration.get("spending"):
            sections["spending"] = random_sections.without_limits(spending)
        if self._account.settings["GUARD_UNMANAGED_JOBS"] != "stop":
            sections["rules"] = random_sections.NARROW_JOBS_ONLY
        self._context.user_requests.applied.append(Applied("ops", sections))
        self._account.configure(**sections)

    def change_calendar(self) -> None:
        windows, usual = random_windows(self._random, self._account.now), self._random.choice(WAYS)
        section = written(windows, usual)
        self._invariants.budgets.calendar_drawn(section, windows, usual)
        self._context.user_requests.applied.append(Applied(ADA, {"calendar": section}))
        self._put_calendar(section)

    def _put_calendar(self, section: dict[str, Any]) -> None:
        """Replaces only the version that it has read, and tries again if another version has become current."""

        def then(answer: Answer) -> None:
            if answer.status == HTTPStatus.CONFLICT and not self._rests:
                self._put_calendar(section)
            self._context.done["calendar changed"] += answer.status < 300

        query = f"?replaces={self._invariants.configurations.newest}"
        self._account.request("PUT", f"/config/calendar{query}", json.dumps(section), then=then)

    def change_rules(self) -> None:
        self._apply(self._drawn("rules"), "rules changed")

    def change_shares(self) -> None:
        self._apply(self._drawn("shares"), "shares changed")

    def change_pool_rules(self) -> None:
        self._apply(self._drawn("pools"), "rules of pools changed")

    def _change_some_sections(self) -> None:
        kinds = self._random.sample(sorted(_DRAWN), self._random.choice([1, 2, 3]))
        self._apply(self._drawn(*kinds), f"sections changed: {len(kinds)}")

    def _drawn(self, *kinds: str) -> dict[str, Any]:
        drawn = {kind: _DRAWN[kind](self._random, self._account.now) for kind in kinds}
        if "shares" in drawn and self._context.in_two_teams:
            parameter = self._invariants.budgets.parameter
            drawn["shares"] = random_sections.random_shares_of_two_teams(self._random, parameter)
        if "rules" in drawn and self._context.has_approvals:
            names = APPROVED_NAMES[self._context.has_array_approvals]
            drawn["rules"]["rules"].append(random_sections.random_approval_rule(drawn["rules"], names))
        if "policy" in drawn and self._context.has_interactive_jobs:
            drawn["policy"] |= random_sections.random_interactive_cap(drawn["policy"])
        if "idle_gpus" in drawn:
            drawn["hangs"] = random_sections.random_hang_rule(drawn["idle_gpus"])
            if self._context.has_losses:
                drawn["nan"] = random_sections.random_nan_rule(drawn["idle_gpus"])
        return drawn

    def _apply(self, sections: dict[str, Any], name: str) -> None:
        """Applies sections as a file, or a single section through its own route.

        Some calls name the version to replace.
        """
        self._context.user_requests.applied.append(Applied(ADA, sections))
        query = f"?replaces={self._invariants.configurations.newest}" if self._random.random() < 0.5 else ""
        (kind, section), *others = sections.items()
        if others or self._random.random() < 0.5:
            self._ask("PUT", f"/config{query}", name, json.dumps(sections))
        else:
            self._ask("PUT", f"/config/{kind}{query}", name, json.dumps(section))

    def _roll_back(self) -> None:
        newest = self._invariants.configurations.newest
        if newest < 2:
            return
        version = self._random.randrange(1, newest)
        sections = self._invariants.configurations.version(version)
        self._context.user_requests.applied.append(Applied(ADA, sections, keeps_others=False))
        self._ask("POST", f"/config/rollback?version={version}&replaces={newest}", "rollback")

    def shrink_budget(self) -> None:
        """Sets a budget of one instance of each type. `rest` restores the old budget."""
        self._set_counts(dict.fromkeys(TYPES, 1))

    def _change_budget(self) -> None:
        self._set_counts({kind: self._random.choice([1, 1, 2, 3]) for kind in TYPES})

    def _set_counts(self, counts: dict[str, int]) -> None:
        self._set_budget(Budget.parse(",".join(f"{kind}={count}" for kind, count in counts.items())), counts)
        self._context.done["budget changed"] += 1

    def _set_budget(self, budget: Budget | None, counts: dict[str, int] | None) -> None:
        store = DynamoDBControlStore(Table(TableClient(self._account.table), "queue"))  # type: ignore[arg-type] # what is used of it
        stops = budget is not None and self._random.random() < 0.5
        self._invariants.budgets.operators_set(counts, stops=stops)
        store.write(replace(store.read(), budget=budget, stop_over_budget=stops), by="api")

    def _approve(self) -> None:
        """Approves a job, or tries to: half of the calls come from an operator who owns most jobs."""
        jobs = sorted(name for name, job in self._invariants.jobs.items() if job.needs_approval)
        random = Random(f"approves {jobs} {self._account.now}")  # noqa: S311 - acts, not secrets
        if jobs:
            path, caller = f"/jobs/{random.choice(jobs)}/approve", random.choice([ADA, OLGA])
            self._ask("POST", path, "approval", caller=caller)

    def _drain(self) -> None:
        self._ask("POST", "/drain", "drain")

    def _resume(self) -> None:
        self._ask("POST", "/resume", "resume")

    def _ask(self, method: str, path: str, name: str, body: object = None, caller: str = ADA) -> None:
        def then(answer: Answer) -> None:
            if answer.status < 300:
                self._context.done[name] += 1

        self._account.request(method, path, body, caller=caller, then=then)
