"""Plays users, who submit, list, cancel, hold and release jobs through the REST API."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import count
from random import Random
from types import MappingProxyType
from typing import Any

from support.account.function_calls import BOB, Answer
from support.account.webhooks import HOST
from support.simulation.actors.context import ActorContext, Acts, Emphasis
from support.simulation.judges.checks import Violation
from support.simulation.judges.spending import TWO_TEAMS
from support.simulation.submissions.pipeline_steps import start_pipeline
from support.simulation.submissions.training_requests import (
    alternatives_of,
    choose_team,
    is_elastic,
    make_elastic,
    order_of,
    put_into_a_project,
    put_on_a_plan,
    random_body,
    set_dependencies,
    set_times,
    use_models,
    widen,
    with_preferences,
    work_in_the_container,
)
from support.simulation.submissions.user_requests import SECRET

_ACTIONS = ("cancel", "hold", "release", "requeue", "top")


class Users:
    def __init__(self, context: ActorContext, jobs: int) -> None:
        self._context = context
        self._account, self._user_requests, self._random = context.account, context.user_requests, context.random
        self._names = [f"job{number}" for number in range(1, jobs + 1)]
        self._tries = 0
        self._numbers = count()
        self._unanswered: dict[str, list[int]] = defaultdict(list)  # numbers of updates without an answer, by job
        self._holding: set[str] = set()  # jobs with a hold, and no release or requeue since

    def acts(self) -> Acts:
        fickle = 6.0 if self._context.emphasis is Emphasis.CHANGED_MINDS else 1.0
        return {
            self._submit_again: 1,
            self._submit_another: 0.3,
            self._cancel: 0.5 * fickle,
            self._hold: 0.3 * fickle,
            self._release: 0.5 * fickle,
            self._requeue: 0.3,
            self._top: 0.3,
            self._update: 0.5,
            self._list_jobs: 0.3,
            self._act_on_a_job_of_another_user: 0.3,
        }

    def submit(self) -> None:
        fresh = [name for name in self._names if name not in self._context.bodies]
        if fresh:
            spot = 0.9 if self._context.emphasis is Emphasis.SPOT_INTERRUPTIONS else 0.2
            body = random_body(self._random, fresh[0], spot)
            if self._context.emphasis is Emphasis.CALENDAR:
                put_on_a_plan(body)
            if self._context.in_two_teams:
                choose_team(body, sorted(TWO_TEAMS))
            if self._context.in_projects:
                put_into_a_project(body)
            self._context.done["submission with times"] += set_times(body, self._account.now)
            self._context.done["submission after others"] += set_dependencies(body, [*self._user_requests.accepted])
            self._user_requests.tags[fresh[0]] = {tag["Key"]: tag["Value"] for tag in body["Tags"]}
            body = widen(body) if self._context.has_elastic_jobs else with_preferences(body)
            make_elastic(body)
            owner = self._context.owner_of(fresh[0])
            own = {name for name in self._user_requests.accepted if self._context.owner_of(name) == owner}
            self._context.done["submission with models"] += use_models(body, own)
            if self._context.has_interactive_jobs:
                self._context.done["interactive submission"] += work_in_the_container(body)
            self._context.bodies[fresh[0]] = body
            self._send(fresh[0])

    def submit_everything_again(self) -> None:
        for name, body in self._context.bodies.items():
            self._account.request(*_submission(body), caller=self._context.owner_of(name))

    def _submit_again(self) -> None:
        """Submits a job again, as a client that got no answer does."""
        if self._context.bodies:
            self._send(self._random.choice([*self._context.bodies]))

    def _send(self, name: str) -> None:
        body, step = self._context.bodies[name], self._step_token(name)
        token = "" if step else self._new_token(name)
        receivers = self._receivers(name)

        def then(answer: Answer) -> None:
            if token and answer.status in {200, 201}:
                self._user_requests.tokens[token] = name
            if step and answer.status in {200, 201}:
                self._user_requests.accepted_steps.add(step)
            if answer.status in {200, 201}:
                self._user_requests.receivers |= dict.fromkeys(receivers.values(), name)
            if answer.status in {200, 201} or answer.body["error"] == "name_used":  # then the answer had been lost
                self._user_requests.accepted[name] = body
                self._context.done["job of a training plan"] += "TrainingPlanArn" in body["ResourceConfig"]
            elif answer.body["error"] == "name_taken" and name in self._user_requests.accepted:
                raise Violation(f"S4: {name}, accepted once, is refused: {answer}")

        on_end = {"task_token": token, "pipeline_token": step, **receivers}
        self._context.done["submission with a bus or a URL"] += bool(receivers)
        self._account.request(*_submission(body, on_end), caller=self._context.owner_of(name), then=then)
        self._context.done[_kind(body)] += 1

    def _new_token(self, name: str) -> str:
        """Returns a new token for a waiting state machine; empty without callbacks."""
        if self._account.settings["CALLBACKS"] == "off":
            return ""
        self._tries += 1
        token = f"{name}-task-{self._tries}"
        self._account.orchestrators.waiting.add(token)
        return token

    def _step_token(self, name: str) -> str:
        """Returns the token of the pipeline that waits for the job: the same token for each call, and empty for most
        jobs. A repeated call represents a step's message that SQS delivers twice.
        """
        if not self._context.has_pipelines or name[-1] in "02468":
            return ""
        token = start_pipeline(self._account.simulation.machine, name, self._account.now)
        self._user_requests.steps[token] = name
        return token

    def _receivers(self, name: str) -> dict[str, str]:
        """Returns the bus and the URL that wait for the job, the same for each call. Some jobs have only one."""
        if not self._context.has_receivers:
            return {}
        bus = {"event_bus": f"sagequeue-{name}"} if name[-1] not in "16" else {}
        return bus | ({"url": f"https://{HOST}/{name}"} if name[-1] not in "27" else {})

    def _submit_another(self) -> None:
        """Submits another request under a name that is taken."""
        if not self._user_requests.accepted:
            return
        name = self._random.choice([*self._user_requests.accepted])
        body = self._context.bodies[name] | {"RoleArn": "arn:aws:iam::000000000000:role/OtherSageMakerRole"}

        def then(answer: Answer) -> None:
            if answer.status in {200, 201}:
                raise Violation(f"S4: another request is accepted as {name}")

        self._account.request("POST", "/add-job", body, caller=self._context.owner_of(name), then=then)
        self._context.done["name taken in the queue"] += 1

    def _cancel(self) -> None:
        self._ask("cancel", self._user_requests.cancelled.add)

    def _hold(self) -> None:
        def on_accepted(name: str) -> None:
            if name in self._holding:
                self._user_requests.held.add(name)

        self._ask("hold", on_accepted, self._holding.add)

    def _release(self) -> None:
        self._ask("release", first=self._let_go)

    def _let_go(self, name: str) -> None:
        self._holding.discard(name)
        self._user_requests.held.discard(name)

    def _requeue(self) -> None:
        def may_run_again(name: str) -> None:
            self._user_requests.revived.add(name)
            self._let_go(name)

        self._ask("requeue", first=may_run_again)

    def _top(self) -> None:
        self._ask("top")

    def _update(self) -> None:
        """Changes a job's priority and, for some waiting jobs, the time limit."""
        priority = self._random.randint(0, 9)
        # Depends on the priority and the time, so that the rest of the world stays as it was.
        limit = Random(f"limit {priority} {self._account.now}").choice([None, None, 300, 3600])  # noqa: S311 - requests
        limits, number = self._user_requests.time_limits, next(self._numbers)

        def sent(name: str) -> None:
            self._user_requests.priorities_changed_at[name] = self._account.now
            if limit:
                limits[name].add(limit)
            self._unanswered[name].append(number)

        def accepted(name: str) -> None:
            self._user_requests.priorities_changed_at[name] = self._account.now
            if limit and self._unanswered[name] == [number]:
                limits[name] = {limit}  # no other update can have replaced it
            answered(name)

        def answered(name: str) -> None:
            self._unanswered[name].remove(number)

        changes = {"options": {"priority": priority}}
        self._ask("update", accepted, sent, {**changes, "max_runtime": limit} if limit else changes, answered)

    def _ask(
        self,
        action: str,
        on_accepted: Callable[[str], object] = lambda _: None,
        first: Callable[[str], object] = lambda _: None,
        body: Any = None,
        on_refused: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Calls `first` before the request is sent, and `on_accepted` or `on_refused` after the queue's answer."""
        if not self._context.bodies:
            return
        name = self._random.choice([*self._context.bodies])
        first(name)

        def then(answer: Answer) -> None:
            if answer.status == 202:
                on_accepted(name)
                self._context.done[action] += 1
            elif 400 <= answer.status < 500:
                on_refused(name)

        caller = self._context.owner_of(name)
        self._account.request("POST", f"/jobs/{name}/{action}", body, caller=caller, then=then)

    def _act_on_a_job_of_another_user(self) -> None:
        """Acts on another user's job. The queue must refuse the action in every state."""
        if not self._context.bodies:
            return
        name, action = self._random.choice([*self._context.bodies]), self._random.choice(_ACTIONS)

        def then(answer: Answer) -> None:
            if answer.status < 300:
                raise Violation(f"S15: {BOB} may {action} {name}, which is not theirs")

        self._account.request("POST", f"/jobs/{name}/{action}", caller=BOB, then=then)
        self._context.done["act on another user's job"] += 1

    def _list_jobs(self) -> None:
        def then(answer: Answer) -> None:
            if SECRET in str(answer.body):
                raise Violation("S14: a secret in a list")

        self._account.request("GET", "/jobs", then=then)


def _kind(body: dict[str, Any]) -> str:
    if "InstancePreferences" in body["ResourceConfig"]:
        return "submission with preferences"
    if is_elastic(body):
        return "submission of an elastic job"
    return "submission with alternatives" if alternatives_of(body) else "submission"


def _submission(body: dict[str, Any], on_end: Mapping[str, str] = MappingProxyType({})) -> tuple[str, str, Any]:
    """Returns the call for a submission, with each callback that has a token."""
    alternatives, tokens = alternatives_of(body), {kind: token for kind, token in on_end.items() if token}
    if not alternatives and not tokens:
        return "POST", "/add-job", body
    options = {"options": {"alternatives": alternatives, **order_of(body)}} if alternatives else {}
    callbacks = {"on_end": tokens} if tokens else {}
    return "POST", "/jobs", {"request": body, **options, **callbacks}
