"""People who use the queue, and people who go round it: in the console, with jobs of their own, with other limits."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from botocore.exceptions import ClientError

from local_sagemaker.capacity import Shortage
from local_sagemaker.lifecycle import INTERNAL_ERROR
from local_sagemaker.quota import Quotas
from local_sagemaker.simulated import Course
from scheduler.adapters.dynamodb_controls import DynamoDBControlStore
from scheduler.domain.budget import Budget
from simulation.account import Account
from simulation.callers import Answer
from simulation.dynamodb import TableClient
from simulation.invariants import SECRET, Invariants, Violation, Wishes

TYPES = ("ml.m5.large", "ml.g5.xlarge")
#: A console user who deletes a training job has first seen it end.
_SEEN_AFTER = 900.0


class People:
    """Acts at random moments until `rest` is called."""

    def __init__(self, account: Account, wishes: Wishes, invariants: Invariants, random: Random, jobs: int) -> None:
        self._account = account
        self._wishes = wishes
        self._invariants = invariants
        self._first_budget = dict(invariants.budget)
        self._random = random
        self._names = [f"job{number}" for number in range(1, jobs + 1)]
        self._holding: set[str] = set()  # a hold was sent, and nothing since that ends it
        self._bodies: dict[str, dict[str, Any]] = {}
        self._is_resting = False
        self._pace = random.choice([3.0, 10.0, 40.0])
        self.done: Counter[str] = Counter()
        acts: dict[Callable[[], object], float] = {
            self._submit: 10.0,
            self._submit_again: self._liking(1),
            self._submit_another: self._liking(0.3),
            self._cancel: self._liking(0.5),
            self._hold: self._liking(0.3),
            self._release: self._liking(0.5),
            self._requeue: self._liking(0.3),
            self._top: self._liking(0.3),
            self._prioritise: self._liking(0.5),
            self._change_budget: self._liking(0.2),
            self._stop_in_console: self._liking(0.3),
            self._delete_in_console: self._liking(0.3),
            self._run_a_foreign_job: self._liking(0.5),
            self._take_a_name: self._liking(0.2),
            self._interrupt: self._liking(1),
            self._break: self._liking(0.5),
            self._hang: self._liking(0.3),
            self._shorten: self._liking(0.5),
            self._limit: self._liking(0.3),
            self._look: self._liking(0.3),
        }
        self._acts, self._weights = [*acts], [*acts.values()]
        self._later()

    def rest(self) -> None:
        """Nobody does anything any more, the budget is what it was, and SageMaker is well."""
        self._is_resting = True
        self._set_budget(None, self._first_budget)
        simulation = self._account.simulation
        simulation.world.limit(Quotas())
        for kind in TYPES:
            simulation.world.shorten(kind, Shortage(simulation.now), simulation.now)
        for name in [*simulation.world.jobs]:
            simulation.world.let_go(name, simulation.now)

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / self._pace), self._act)

    def _act(self) -> None:
        if self._is_resting:
            return
        (act,) = self._random.choices(self._acts, self._weights)
        act()
        self._later()

    def _liking(self, weight: float) -> float:
        return self._random.choice([0.0, weight, weight])

    # --------------------------------------------------------------- the queue

    def _submit(self) -> None:
        fresh = [name for name in self._names if name not in self._bodies]
        if fresh:
            self._bodies[fresh[0]] = self._request(fresh[0])
            self._send(fresh[0])

    def _submit_again(self) -> None:
        """As a client that got no answer."""
        if self._bodies:
            self._send(self._random.choice([*self._bodies]))

    def _send(self, name: str) -> None:
        body = self._bodies[name]

        def then(answer: Answer) -> None:
            if answer.status in {200, 201}:
                self._wishes.accepted[name] = body
            elif answer.body["error"] == "name_taken" and name in self._wishes.accepted:
                raise Violation(f"S4: {name}, accepted once, is refused: {answer}")

        self._account.request("POST", "/add-job", body, then=then)
        self.done["submission"] += 1

    def _submit_another(self) -> None:
        """A body of its own under a name that is taken."""
        if not self._wishes.accepted:
            return
        name = self._random.choice([*self._wishes.accepted])
        body = self._bodies[name] | {"RoleArn": "arn:aws:iam::000000000000:role/OtherSageMakerRole"}

        def then(answer: Answer) -> None:
            if answer.status in {200, 201}:
                raise Violation(f"S4: another body is taken for {name}")

        self._account.request("POST", "/add-job", body, then=then)
        self.done["name taken in the queue"] += 1

    def _cancel(self) -> None:
        self._ask("cancel", self._wishes.cancelled.add)

    def _hold(self) -> None:
        def promised(name: str) -> None:
            if name in self._holding:
                self._wishes.held.add(name)

        self._ask("hold", promised, self._holding.add)

    def _release(self) -> None:
        self._ask("release", first=self._let_go)

    def _let_go(self, name: str) -> None:
        self._holding.discard(name)
        self._wishes.held.discard(name)

    def _requeue(self) -> None:
        def may_run_again(name: str) -> None:
            self._wishes.revived.add(name)
            self._let_go(name)

        self._ask("requeue", first=may_run_again)

    def _top(self) -> None:
        self._ask("top")

    def _prioritise(self) -> None:
        def note(name: str) -> None:
            self._wishes.priorities_changed_at[name] = self._account.now

        self._ask("priority", note, note, body={"priority": self._random.randint(0, 9)})

    def _ask(
        self,
        wish: str,
        promised: Callable[[str], object] = lambda _: None,
        first: Callable[[str], object] = lambda _: None,
        body: object = None,
    ) -> None:
        """`first` happens before the request is sent, `promised` when it was accepted."""
        if not self._bodies:
            return
        name = self._random.choice([*self._bodies])
        first(name)

        def then(answer: Answer) -> None:
            if answer.status == 202:
                promised(name)
                self.done[wish] += 1

        self._account.request("POST", f"/jobs/{name}/{wish}", body, then=then)

    def _change_budget(self) -> None:
        counts = {kind: self._random.choice([1, 1, 2, 3]) for kind in TYPES}
        self._set_budget(Budget.parse(",".join(f"{kind}={count}" for kind, count in counts.items())), counts)
        self.done["budget changed"] += 1

    def _set_budget(self, budget: Budget | None, counts: dict[str, int]) -> None:
        store = DynamoDBControlStore(TableClient(self._account.table), "queue")  # type: ignore[arg-type] # what is used of it
        self._invariants.budget_changes(counts)
        store.write(replace(store.read(), budget=budget, stop_over_budget=self._random.random() < 0.5), by="api")

    def _look(self) -> None:
        def then(answer: Answer) -> None:
            if SECRET in str(answer.body):
                raise Violation("S14: a secret in a list")

        self._account.request("GET", "/jobs", then=then)

    # ----------------------------------------------------------- round the queue

    def _stop_in_console(self) -> None:
        names = self._attempts(lambda job: not job.is_terminal)
        if names:
            name = self._random.choice(names)
            with suppress(ClientError):
                self._account.sagemaker.stop_training_job(TrainingJobName=name)
                self._wishes.stopped_in_console.add(name)
                self.done["stop in the console"] += 1

    def _delete_in_console(self) -> None:
        now = self._account.now
        names = self._attempts(lambda job: job.ended_at is not None and job.ended_at + _SEEN_AFTER < now)
        if names:
            name = self._random.choice(names)
            with suppress(ClientError):
                self._account.sagemaker.delete_training_job(TrainingJobName=name)
                self._wishes.deleted.add(name)
                self.done["deletion in the console"] += 1

    def _run_a_foreign_job(self) -> None:
        self._create(f"theirs-{self._random.randrange(1000)}")
        self.done["foreign job"] += 1

    def _take_a_name(self) -> None:
        """A foreign job with the name that an attempt of ours is going to have."""
        if self._bodies:
            self._create(f"{self._random.choice([*self._bodies])}-sq-{self._random.randint(1, 3)}")
            self.done["name taken in SageMaker"] += 1

    def _create(self, name: str) -> None:
        body = self._request("theirs")
        body.pop("CheckpointConfig", None)
        with suppress(ClientError):
            self._account.sagemaker.create_training_job(**body | {"TrainingJobName": name, "Tags": []})

    def _interrupt(self) -> None:
        names = self._attempts(lambda job: job.is_spot)
        if names:
            self._account.simulation.interrupt(self._random.choice(names))
            self.done["spot interruption"] += 1

    def _break(self) -> None:
        names = self._attempts(lambda job: not job.is_terminal and job.up_since is not None)
        if names:
            self._account.simulation.fail(self._random.choice(names), INTERNAL_ERROR)
            self.done["internal error"] += 1

    def _hang(self) -> None:
        names = self._attempts(lambda job: not job.is_terminal)
        if names:
            self._account.simulation.world.hang(self._random.choice(names))
            self.done["hanging job"] += 1

    def _shorten(self) -> None:
        now = self._account.now
        back_at = now + self._random.uniform(0, 1800)
        shortage = Shortage(back_at, self._random.choice([0.0, 600.0, float("inf")]))
        self._account.simulation.world.shorten(self._random.choice(TYPES), shortage, now)
        self.done["no capacity"] += 1

    def _limit(self) -> None:
        limits = {kind: self._random.choice([1, 2, 3, 4, 100]) for kind in TYPES}
        self._account.simulation.world.limit(Quotas(on_demand=limits))
        self.done["quota changed"] += 1

    def _attempts(self, which: Callable[[Any], bool]) -> list[str]:
        jobs = self._account.simulation.world.jobs.values()
        return sorted(job.name for job in jobs if "sagequeue:job" in job.tags and which(job))

    def _request(self, name: str) -> dict[str, Any]:
        random = self._random
        is_spot = random.random() < 0.2
        runtime = random.choice([120, 600, 3600, 86_400])
        prefix = random.choice([name, name, name, "shared"])
        request: dict[str, Any] = {
            "TrainingJobName": name,
            "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
            "RoleArn": "arn:aws:iam::000000000000:role/SageMakerRole",
            "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
            "ResourceConfig": {
                "InstanceType": random.choice([TYPES[0], TYPES[0], TYPES[1]]),
                "InstanceCount": random.choice([1, 1, 1, 2]),
                "VolumeSizeInGB": 1,
            },
            "StoppingCondition": {"MaxRuntimeInSeconds": runtime},
            "HyperParameters": {"password": SECRET},
            "Environment": {"TOKEN": SECRET},
            "Tags": [{"Key": "priority", "Value": str(random.choice([0, 0, 1, 2, 9]))}],
        }
        if random.random() < 0.7:
            request["CheckpointConfig"] = {"S3Uri": f"s3://bucket/checkpoints/{prefix}"}
        if random.random() < 0.2 and not is_spot:
            request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = 600
        if is_spot:
            request["EnableManagedSpotTraining"] = True
            request["StoppingCondition"]["MaxWaitTimeInSeconds"] = runtime + 3600
        if random.random() < 0.2:
            request["RetryStrategy"] = {"MaximumRetryAttempts": 2}
        return request


def random_course(seed: int, request: dict[str, Any]) -> Course:
    """How the scripts behave: each job in its own way, the same in each attempt."""
    job = request["TrainingJobName"].rsplit("-sq-", 1)[0]
    random = Random(f"{seed}/{job}")  # noqa: S311 - scripts, not secrets
    return Course(
        trains=random.choice([0, 30, 120, 300]),
        exit_code=random.choice([0, 0, 0, 0, 1]),
        prepares=random.choice([1, 30, 60]),
        uploads=random.choice([1, 30]),
        heeds_stop_after=random.choice([5, 5, 60, None]),
    )
