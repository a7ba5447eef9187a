"""Operators: they change budget, rules and calendar, and drain the queue for a while."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from scheduler.adapters.dynamodb.config_store import DynamoDBControlStore, DynamoDBDocumentStore
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.calendar.document import validated
from scheduler.core.documents.document import Document, DocumentKind
from scheduler.core.jobs.budget import Budget
from support.account.function_calls import Answer
from support.dynamodb.client import TableClient
from support.simulation.actors.context import ActorContext, Acts, Emphasis
from support.simulation.actors.random_calendars import WAYS, random_windows, written
from support.simulation.judges.budgets import Window
from support.simulation.judges.invariants import Invariants
from support.simulation.submissions.training_requests import LONGEST_POOL, TYPES

_RULES: tuple[tuple[float, dict[str, Any]], ...] = (  # chance of each rule to be in the document
    (0.1, {"name": "small", "kind": "instances_per_job", "most": 1, "applies_to": {"name": "*"}}),
    (0.1, {"name": "short", "kind": "max_runtime", "at_most": 3600, "applies_to": {"name": "*"}}),
    (0.8, {"name": "tagged", "kind": "required_tags", "tags": {"team": {}}, "applies_to": {"name": "theirs-*"}}),
)


class Operators:
    def __init__(self, context: ActorContext, invariants: Invariants) -> None:
        self._context = context
        self._account, self._random = context.account, context.random
        self._invariants = invariants
        self._first_budget = dict(invariants.budget)

    def acts(self) -> Acts:
        # So that unmanaged jobs break a rule where they are checked.
        rules = 0.4 if self._account.settings["GUARD_UNMANAGED_JOBS"] != "off" else 0.15
        by_calendar = self._context.emphasis is Emphasis.CALENDAR
        return {
            **({self.change_calendar: 0.05} if by_calendar else {self._change_budget: 0.2}),
            self.change_rules: rules,
            self.change_pool_rules: 0.2,
            self._drain: 0.1,
            self._resume: 0.3,
        }

    def restore_the_budget(self) -> None:
        self._set_budget(None, None)
        self._write_calendar((), "finish")

    def change_calendar(self) -> None:
        self._write_calendar(random_windows(self._random, self._account.now), self._random.choice(WAYS))
        self._context.done["calendar changed"] += 1

    def change_rules(self) -> None:
        modes = ["enforce", "enforce", "warn"]
        rules = [rule | {"mode": self._random.choice(modes)} for often, rule in _RULES if self._random.random() < often]
        document = {"format": 1, "rules": rules, "exemptions": self._exemptions([rule["name"] for rule in rules])}
        self._ask("PUT", "/rules", "rules changed", json.dumps(document))

    def change_pool_rules(self) -> None:
        """Writes rules that allow no pools, the requested ones, or more."""
        minutes = {"minutes": LONGEST_POOL // 60}
        caps = {"off": {}, "reuse": minutes, "hold": minutes | {"dollars": 100}}
        uses = {kind: self._random.choice(["off", "reuse", "hold", "hold", "hold"]) for kind in TYPES}
        pools = [{"instance_type": kind, "use": use, **caps[use]} for kind, use in uses.items()]
        self._ask("PUT", "/pools/rules", "rules of pools changed", json.dumps({"format": 1, "pools": pools}))

    def _change_budget(self) -> None:
        counts = {kind: self._random.choice([1, 1, 2, 3]) for kind in TYPES}
        self._set_budget(Budget.parse(",".join(f"{kind}={count}" for kind, count in counts.items())), counts)
        self._context.done["budget changed"] += 1

    def _set_budget(self, budget: Budget | None, counts: dict[str, int] | None) -> None:
        store = DynamoDBControlStore(Table(TableClient(self._account.table), "queue"))  # type: ignore[arg-type] # what is used of it
        stops = budget is not None and self._random.random() < 0.5
        self._invariants.budgets.operators_set(counts, stops=stops)
        store.write(replace(store.read(), budget=budget, stop_over_budget=stops), by="api")

    def _write_calendar(self, windows: Sequence[Window], usual: str) -> None:
        """Writes without a call, like the budget: a call that is still running would change it after the faults end."""
        kind, client = DocumentKind.CALENDAR, TableClient(self._account.table)
        store = DynamoDBDocumentStore(Table(client, "queue"), kind)  # type: ignore[arg-type] # what is used of it
        in_force, now = store.latest(), datetime.fromtimestamp(self._account.now, UTC)
        text = written(windows, usual)
        validated(text, Budget.of(self._first_budget), now)
        store.add(Document(in_force.version + 1 if in_force else 1, text, "ops", now), by="api")
        self._invariants.budgets.calendar_set(windows, usual)

    def _exemptions(self, rules: list[str]) -> list[dict[str, Any]]:
        """Exempts half of the jobs, in half of the documents."""
        if not rules or self._random.random() < 0.5:
            return []
        ends = datetime.fromtimestamp(self._account.now + self._random.choice([60, 600, 7200]), UTC)
        exemption = {"jobs": {"name": "*[13579]"}, "owner": "ops", "reason": "a deadline", "expires_at": str(ends)}
        return [{"rules": rules, **exemption}]

    def _drain(self) -> None:
        self._ask("POST", "/drain", "drain")

    def _resume(self) -> None:
        self._ask("POST", "/resume", "resume")

    def _ask(self, method: str, path: str, name: str, body: object = None) -> None:
        def then(answer: Answer) -> None:
            if answer.status < 300:
                self._context.done[name] += 1

        self._account.request(method, path, body, then=then)
