"""Operators: they change the budget and the rules, and close the queue for a while."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from scheduler.adapters.dynamodb_controls import DynamoDBControlStore
from scheduler.domain.budget import Budget
from simulation.bodies import TYPES
from simulation.callers import Answer
from simulation.dynamodb import TableClient
from simulation.invariants import Invariants
from simulation.stage import Acts, Stage

_RULES: tuple[tuple[float, dict[str, Any]], ...] = (  # and how often each is among the rules
    (0.1, {"name": "small", "kind": "instances_per_job", "most": 1, "applies_to": {"name": "*"}}),
    (0.1, {"name": "short", "kind": "max_runtime", "at_most": 3600, "applies_to": {"name": "*"}}),
    (0.8, {"name": "tagged", "kind": "required_tags", "tags": {"team": {}}, "applies_to": {"name": "theirs-*"}}),
)


class Operators:
    def __init__(self, stage: Stage, invariants: Invariants) -> None:
        self._stage = stage
        self._account, self._random = stage.account, stage.random
        self._invariants = invariants
        self._first_budget = dict(invariants.budget)

    def acts(self) -> Acts:
        # Where foreign jobs are looked at, there shall be something against them.
        rules = 0.4 if self._account.settings["GUARD_FOREIGN_JOBS"] != "off" else 0.15
        return {self._change_budget: 0.2, self.change_rules: rules, self._drain: 0.1, self._resume: 0.3}

    def restore_the_budget(self) -> None:
        self._set_budget(None, self._first_budget)

    def change_rules(self) -> None:
        modes = ["enforce", "enforce", "warn"]
        rules = [rule | {"mode": self._random.choice(modes)} for often, rule in _RULES if self._random.random() < often]
        document = {"format": 1, "rules": rules, "exemptions": self._exemptions([rule["name"] for rule in rules])}
        self._ask("PUT", "/rules", "rules changed", json.dumps(document))

    def _change_budget(self) -> None:
        counts = {kind: self._random.choice([1, 1, 2, 3]) for kind in TYPES}
        self._set_budget(Budget.parse(",".join(f"{kind}={count}" for kind, count in counts.items())), counts)
        self._stage.done["budget changed"] += 1

    def _set_budget(self, budget: Budget | None, counts: dict[str, int]) -> None:
        store = DynamoDBControlStore(TableClient(self._account.table), "queue")  # type: ignore[arg-type] # what is used of it
        self._invariants.budget_changes(counts)
        store.write(replace(store.read(), budget=budget, stop_over_budget=self._random.random() < 0.5), by="api")

    def _exemptions(self, rules: list[str]) -> list[dict[str, Any]]:
        """Half the time for half the jobs."""
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
                self._stage.done[name] += 1

        self._account.request(method, path, body, then=then)
