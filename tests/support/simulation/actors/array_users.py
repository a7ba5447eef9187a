"""Plays users who submit arrays and act on whole arrays and on children. Also corrupts the arrays' records."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from random import Random
from typing import Any

from scheduler.adapters.dynamodb.records.array_records import ARRAY_PREFIX
from support.account.function_calls import ADA, OLGA, Answer
from support.dynamodb.table import Key
from support.simulation.actors.context import ActorContext
from support.simulation.judges.checks import Violation
from support.simulation.submissions.training_requests import random_body, set_dependencies, set_times

#: The mean time between two acts, in seconds.
_PACE = 40.0
#: After the faults end, users release all arrays after this many seconds. Until then, no child of a held array starts.
HELD_AT_REST = 900.0


class ArrayUsers:
    """They act only in some worlds. Their draws are separate, so that all other worlds stay as they are."""

    def __init__(self, context: ActorContext, random: Random) -> None:
        self._context = context
        self._account, self._user_requests, self._random = context.account, context.user_requests, random
        self._submissions: dict[str, dict[str, Any]] = {}  # by the array's name
        self._accepted: set[str] = set()
        self._followers: dict[str, dict[str, Any]] = {}  # jobs that wait for an array
        self._is_resting = False
        self._acts: Mapping[Callable[[], object], float] = {
            self._submit: 4,
            self._submit_again: 1,
            self._submit_follower: 2,
            partial(self._act_on_an_array, "hold"): 0.5,
            partial(self._act_on_an_array, "release"): 1,
            partial(self._act_on_an_array, "cancel"): random.choice([0, 0.3, 1]),
            self._prioritise: 0.5,
            partial(self._act_on_a_child, "cancel"): 0.5,
            partial(self._act_on_a_child, "requeue"): 1,
            self._corrupt: 0.5,
        }
        self._later()

    def rest(self) -> None:
        """Ends all actions. In half of the worlds, the arrays are held for a while before their children continue."""
        self._is_resting = True
        if self._random.random() < 0.5:
            self._ask_for_all("hold")
        self._account.agenda.at(self._account.now + HELD_AT_REST, partial(self._ask_for_all, "release"))

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / _PACE), self._act)

    def _act(self) -> None:
        if not self._is_resting:
            (act,) = self._random.choices([*self._acts], [*self._acts.values()])
            act()
            if self._context.has_array_approvals:
                self._approve()
            self._later()

    def _submit(self) -> None:
        fresh = [name for name in ("array1", "array2", "array3") if name not in self._submissions]
        if fresh:
            self._submissions[fresh[0]] = self._new_submission(fresh[0])
            self._send(fresh[0])

    def _submit_again(self) -> None:
        if self._submissions:
            self._send(self._random.choice([*self._submissions]))

    def _new_submission(self, name: str) -> dict[str, Any]:
        random, size = self._random, self._random.choice([1, 3, 5, 8])
        body = random_body(random, name)
        body["HyperParameters"]["seed"] = "${seed}"
        if "CheckpointConfig" in body:
            body["CheckpointConfig"]["S3Uri"] = f"s3://bucket/checkpoints/{name}/${{index}}"
        set_times(body, self._account.now)
        set_dependencies(body, [*self._user_requests.accepted, *self._accepted])
        for index in range(size):
            self._note_child(f"{name}-{index}", body, index)
        limits = {"at_most": random.choice([None, 1, 2]), "most_failures": random.choice([None, 0, 1])}
        given = {limit: value for limit, value in limits.items() if value is not None}
        return {"request": body, "parameters": {"seed": [*range(size)]}, **given}

    def _note_child(self, child: str, body: dict[str, Any], index: int) -> None:
        filled = {**body, "HyperParameters": {**body["HyperParameters"], "seed": str(index)}}
        if "CheckpointConfig" in body:
            filled["CheckpointConfig"] = {"S3Uri": body["CheckpointConfig"]["S3Uri"].replace("${index}", str(index))}
        self._user_requests.children[child] = filled
        self._user_requests.tags[child] = {tag["Key"]: tag["Value"] for tag in body["Tags"]}

    def _send(self, name: str) -> None:
        def then(answer: Answer) -> None:
            if answer.status in {200, 201}:
                self._accepted.add(name)
                self._user_requests.arrays.add(name)
            elif answer.body["error"] == "name_taken":
                raise Violation(f"S4: {name} is refused, though its name is free: {answer}")

        self._account.request("POST", "/arrays", self._submissions[name], caller=self._owner_of(name), then=then)
        self._context.done["submission of an array"] += 1

    def _submit_follower(self) -> None:
        """Submits a job that waits for an array."""
        fresh = [name for name in ("follower1", "follower2", "follower3") if name not in self._followers]
        if not (fresh and self._accepted):
            return
        name = fresh[0]
        body = random_body(self._random, name)
        option = self._random.choice(["after-ok", "after-any", "after-not-ok"])
        body["Tags"].append({"Key": f"queue:{option}", "Value": self._random.choice(sorted(self._accepted))})
        self._user_requests.children[name] = self._followers[name] = body
        self._user_requests.tags[name] = {tag["Key"]: tag["Value"] for tag in body["Tags"]}
        self._account.request("POST", "/add-job", body, caller=self._owner_of(name))
        self._context.done["submission after an array"] += 1

    def _act_on_an_array(self, what: str, body: Any = None) -> None:
        if self._submissions:
            self._ask(self._random.choice([*self._submissions]), what, body)

    def _prioritise(self) -> None:
        self._act_on_an_array("priority", {"priority": self._random.randint(0, 9)})

    def _ask_for_all(self, what: str) -> None:
        for name in self._submissions:
            self._ask(name, what)

    def _ask(self, name: str, what: str, body: Any = None) -> None:
        def then(answer: Answer) -> None:
            if answer.status == 202:
                self._context.done[f"array: {what}"] += 1
                if what == "cancel":
                    self._user_requests.cancelled_arrays.add(name)

        self._account.request("POST", f"/arrays/{name}/{what}", body, caller=self._owner_of(name), then=then)

    def _approve(self) -> None:
        """Approves an array, or tries to: half of the calls come from an operator who owns most arrays."""
        random = Random(f"approves {self._account.now}")  # noqa: S311 - acts, not secrets
        if not self._accepted or random.random() < 0.5:
            return

        def then(answer: Answer) -> None:
            self._context.done["approval of an array"] += answer.status == HTTPStatus.ACCEPTED

        path = f"/arrays/{random.choice(sorted(self._accepted))}/approve"
        self._account.request("POST", path, caller=random.choice([ADA, OLGA]), then=then)

    def _act_on_a_child(self, what: str) -> None:
        if not self._submissions:
            return
        array = self._random.choice([*self._submissions])
        child = f"{array}-{self._random.randrange(len(self._submissions[array]['parameters']['seed']))}"
        if what == "requeue":
            self._user_requests.revived.add(child)

        def then(answer: Answer) -> None:
            if answer.status == 202:
                self._context.done[f"child: {what}"] += 1
                if what == "cancel":
                    self._user_requests.cancelled.add(child)

        self._account.request("POST", f"/jobs/{child}/{what}", caller=self._owner_of(array), then=then)

    def _corrupt(self) -> None:
        table = self._account.table
        keys: list[Key] = sorted(key for key in table.items if key[0].startswith(ARRAY_PREFIX))
        key = self._random.choice(keys) if keys else None
        if key and key not in table.corrupted:
            table.corrupt(key, self._random.choice(["children", "first", "name"]))
            self._account.agenda.at(self._account.now + self._random.uniform(30, 600), partial(table.repair, key))
            self._context.done["record corrupted: ARRAY"] += 1

    def _owner_of(self, name: str) -> str:
        return self._context.owner_of(name)
