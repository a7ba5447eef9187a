"""Short stories about users, for accounts with at most one fault."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from botocore.exceptions import ClientError

from support.account.account import Account
from support.account.function_calls import ADA, Answer
from support.account.simulated_queue import PREEMPTS_AT_ONCE, request
from support.builders.pool_rules import pool_rules
from support.builders.rules import a_rule, rule_set
from support.simulation.judges.checks import Violation
from support.simulation.submissions.user_requests import Applied, UserRequests

MINUTE = 60.0
ALONE = a_rule("instances_per_job", most=1, mode="enforce", applies_to={"name": "*"})
POOLS = pool_rules("ml.m5.large", "reuse", keep="5m")
ABSENT = "absent"  # the end of a child that is never created
PREEMPTS_LATER = {"patience": "1m", "protected_run_time": "0s"}


@dataclass
class PersistentUser:
    """Repeats each request until it is answered."""

    account: Account
    user_requests: UserRequests = field(default_factory=UserRequests)

    def submit(self, name: str, priority: int = 0, instances: int = 1, after: str = "", **seconds: float) -> None:
        """Submits a job, which waits until the job `after` has completed.

        `seconds` sets its time options, counted from now.
        """
        tags = {
            f"queue:{option.replace('_', '-')}": datetime.fromtimestamp(self.account.now + delay, UTC).isoformat()
            for option, delay in seconds.items()
        }
        tags |= {"queue:after-ok": after} if after else {}
        body = request(name, priority, instances=instances, tags=tags)
        self.user_requests.tags[name] = tags
        while self._ask("/add-job", body).status not in {200, 201}:
            self.wait(1)
        self.user_requests.accepted[name] = body

    def submit_array(self, name: str, size: int, at_most: int) -> None:
        """Submits an array whose children have the hyperparameter `seed`, from 0."""
        body = _child(name, "${index}", "${seed}")
        array = {"request": body, "parameters": {"seed": [*range(size)]}, "at_most": at_most}
        while self._ask("/arrays", array).status not in {200, 201}:
            self.wait(1)

    def act_on_array(self, name: str, what: str) -> None:
        """Acts on a whole array. Repeats the action, so that it applies to each child that it missed."""
        for _ in range(2):
            self._ask(f"/arrays/{name}/{what}")

    def configure(self, **sections: Any) -> None:
        """Applies the sections as one file."""
        self.user_requests.applied.append(Applied(ADA, sections))
        while (answer := self.account.ask("PUT", "/config", sections)).status >= 500:
            self.wait(1)
        if answer.status != 200 or not all(_has(answer.body["sections"][kind], sections[kind]) for kind in sections):
            raise Violation(f"config: {sections} were not applied as a whole: {answer}")

    def act_on(self, name: str, what: str) -> None:
        if what == "requeue":
            self.user_requests.revived.add(name)
        if what in {"requeue", "release"}:
            self.user_requests.held.discard(name)
        if self._ask(f"/jobs/{name}/{what}").status == 202:
            {"cancel": self.user_requests.cancelled, "hold": self.user_requests.held}.get(what, set()).add(name)

    def stop_in_console(self, attempt: str) -> None:
        try:
            self.account.sagemaker.stop_training_job(TrainingJobName=attempt)
        except ClientError:
            return  # it does not exist yet, or no longer exists
        self.user_requests.stopped_in_console.add(attempt)

    def wait(self, seconds: float) -> None:
        self.account.run(seconds)

    def _ask(self, path: str, body: Any = None) -> Answer:
        while (answer := self.account.ask("POST", path, body)).status >= 500:
            self.wait(1)
        return answer


def _has(shown: Any, applied: Any) -> bool:
    """Returns whether a section is shown as it was applied. Omitted members are shown with their defaults."""
    if not isinstance(applied, dict):
        return bool(shown == applied)
    return applied.keys() <= shown.keys() and all(_has(shown[name], value) for name, value in applied.items())


def _child(array: str, index: str, seed: str) -> dict[str, Any]:
    checkpoints = {"S3Uri": f"s3://bucket/checkpoints/{array}/{index}"}
    return request(array, HyperParameters={"seed": seed}, CheckpointConfig=checkpoints)


def four_jobs(user: PersistentUser) -> None:
    for name, priority in [("job1", 1), ("job2", 2), ("job3", 1)]:
        user.submit(name, priority)
    user.wait(MINUTE)
    user.submit("job4", 3)


def cancelled_victim(user: PersistentUser) -> None:
    user.submit("job1", 1)
    user.submit("job2", 1)
    user.wait(MINUTE)
    user.submit("job4", 3, instances=2)
    user.wait(2)
    user.act_on("job1", "cancel")


def wide_and_narrow(user: PersistentUser) -> None:
    user.submit("job1", 1)
    user.submit("wide", 2, instances=2)
    user.submit("job2", 1)


def requeue(user: PersistentUser) -> None:
    user.submit("job1", 1)
    user.wait(MINUTE)
    user.act_on("job1", "requeue")


def hold(user: PersistentUser) -> None:
    for name in ("job1", "job2", "job3"):
        user.submit(name, 1)
    user.act_on("job3", "hold")
    user.wait(3 * MINUTE)
    user.act_on("job3", "release")


def stop_in_console(user: PersistentUser) -> None:
    user.submit("job1", 1)
    user.wait(MINUTE)
    user.stop_in_console("job1-sq-1")


def configuration(user: PersistentUser) -> None:
    user.submit("job1", 1)
    user.submit("job2", 1, instances=2)
    user.configure(policy=PREEMPTS_LATER, rules=rule_set(ALONE), pools=POOLS)
    user.wait(MINUTE)
    user.configure(rules=rule_set())
    user.submit("job3", 1, instances=2)


def notice(user: PersistentUser) -> None:
    user.configure(policy=PREEMPTS_AT_ONCE | {"notice": "2m"})
    user.submit("job1", 1, instances=2)
    user.wait(20)
    user.submit("job2", 2)


def times(user: PersistentUser) -> None:
    user.submit("job1", instances=2)
    user.submit("job2", expires=MINUTE, deadline=MINUTE)
    user.submit("job3", not_before=3 * MINUTE, deadline=4 * MINUTE)


def dependencies(user: PersistentUser) -> None:
    user.submit("job1")
    user.submit("job2", after="job1")
    user.submit("job3", after="job1+job2")
    user.submit("job4", not_before=MINUTE)
    user.submit("job5", after="job4")
    user.act_on("job4", "cancel")


def array(user: PersistentUser) -> None:
    user.submit_array("sweep", 4, at_most=2)
    user.wait(MINUTE)
    user.act_on_array("sweep", "hold")
    user.wait(2 * MINUTE)
    user.act_on_array("sweep", "release")


def cancelled_array(user: PersistentUser) -> None:
    user.submit_array("sweep", 4, at_most=2)
    user.wait(MINUTE)
    user.act_on_array("sweep", "cancel")


@dataclass(frozen=True, slots=True)
class Story:
    tell: Callable[[PersistentUser], None]
    ends: Mapping[str, set[str]]  # the states in which each job may end, whatever the fault


STORIES = {
    "four jobs": Story(four_jobs, {f"job{n}": {"completed"} for n in (1, 2, 3, 4)}),
    "a victim is cancelled": Story(
        cancelled_victim, {"job1": {"stopped", "completed"}, "job2": {"completed"}, "job4": {"completed"}}
    ),
    "wide and narrow": Story(wide_and_narrow, {name: {"completed"} for name in ("job1", "job2", "wide")}),
    "a requeue": Story(requeue, {"job1": {"completed"}}),
    "hold and release": Story(hold, {f"job{n}": {"completed"} for n in (1, 2, 3)}),
    "a configuration": Story(
        configuration, {"job1": {"completed"}, "job2": {"parked", "completed"}, "job3": {"completed"}}
    ),
    "a notice": Story(notice, {"job1": {"completed"}, "job2": {"completed"}}),
    "times": Story(times, {"job1": {"completed"}, "job2": {"stopped", "completed"}, "job3": {"completed"}}),
    "dependencies": Story(
        dependencies, {f"job{n}": {"completed"} for n in (1, 2, 3)} | {"job4": {"stopped"}, "job5": {"parked"}}
    ),
    "an array": Story(array, {f"sweep-{n}": {"completed"} for n in range(4)}),
    "a cancelled array": Story(
        cancelled_array,
        {f"sweep-{n}": {"stopped", "completed", ABSENT} for n in (0, 1)}
        | {f"sweep-{n}": {"stopped", ABSENT} for n in (2, 3)},
    ),
    "a stop in the console": Story(stop_in_console, {"job1": {"stopped", "completed"}}),
}
