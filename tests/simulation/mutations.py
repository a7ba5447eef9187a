"""Defects of the protocol, planted into the real code one at a time: the simulation must find each of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from scheduler import upkeep
from scheduler.access import Access
from scheduler.adapters import dynamodb_ledger, dynamodb_table, dynamodb_writes
from scheduler.adapters.cloudwatch_gpus import CloudWatchAlarms
from scheduler.adapters.dynamodb_jobs import DynamoDBJobStore
from scheduler.adapters.dynamodb_table import Write
from scheduler.adapters.sagemaker_training import SageMakerTraining
from scheduler.adapters.training_event import sighting_of
from scheduler.domain import attempt as attempts
from scheduler.domain.attempt import Attempt, Sighting
from scheduler.domain.demand import Demand
from scheduler.domain.foreign import GuardMode
from scheduler.domain.job import Job
from scheduler.domain.listed import ListPage
from scheduler.domain.snapshot import LiveJob
from scheduler.errors import BadEvent, OutcomeUnknown
from scheduler.foreign_guard import ForeignGuard
from scheduler.gate import Gate
from scheduler.policy import idle, transitions
from scheduler.policy.guardrails.rules import Exemption, Rules, Verdict
from scheduler.policy.room import Room
from simulation.runs import Failure, run

#: The table in docs/reliability.md tells how many each needs.
MOST_RUNS = 100
Plant = Callable[[pytest.MonkeyPatch], None]


def _release_at_stopping(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempts, "TERMINAL_STATUSES", attempts.TERMINAL_STATUSES | {"Stopping"})


def _new_name_after_a_timeout(patches: pytest.MonkeyPatch) -> None:
    create = upkeep.Upkeep.create

    def create_or_next_name(self: upkeep.Upkeep, live: LiveJob) -> Job:
        try:
            return create(self, live)
        except OutcomeUnknown:
            now = self._clock.now()
            return self._settle(transitions.name_clashed(live.job, live.attempt, now), live.attempt)

    patches.setattr(upkeep.Upkeep, "create", create_or_next_name)


def _relaunch_when_interrupted(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.ended

    def is_terminal(sighting: Sighting) -> bool:
        return sighting.status in attempts.TERMINAL_STATUSES or sighting.secondary_status == "Interrupted"

    def back_to_queue(job: Job, attempt: Attempt, sighting: Sighting, now: datetime) -> Job:
        interrupted = sighting.secondary_status == "Interrupted"
        return transitions.name_clashed(job, attempt, now) if interrupted else ended(job, attempt, sighting, now)

    patches.setattr(Sighting, "is_terminal", property(is_terminal))
    patches.setattr(transitions, "ended", back_to_queue)


def _trust_older_events(patches: pytest.MonkeyPatch) -> None:
    update = dynamodb_writes.sighting_update

    def unconditional(*args: Any, **kwargs: Any) -> Any:
        return update(*args, **kwargs) | {"ConditionExpression": "attribute_exists(pk)"}

    patches.setattr(dynamodb_writes, "sighting_update", unconditional)


def _read_one_page(patches: pytest.MonkeyPatch) -> None:
    partition = dynamodb_table.Table.partition
    patches.setattr(dynamodb_table.Table, "partition", lambda self, pk: [*partition(self, pk)][:2])


def _overbook(patches: pytest.MonkeyPatch) -> None:
    """A planner that is wrong by one, and nothing that holds it back: with the condition it does no harm."""

    def has(self: Room, demand: Demand) -> bool:
        return all(count <= self.get(kind, 0) + 1 for kind, count in demand.counts)

    patches.setattr(Room, "has", has)
    reserve = dynamodb_ledger.reserve

    def unlimited(*args: Any, **kwargs: Any) -> Any:
        write = reserve(*args, **kwargs)
        return replace(write, action={"Update": write.action["Update"] | {"ConditionExpression": "fence = :fence"}})

    patches.setattr(dynamodb_ledger, "reserve", unlimited)


def _count_pools_as_free(patches: pytest.MonkeyPatch) -> None:
    settle = DynamoDBJobStore.settle
    patches.setattr(DynamoDBJobStore, "settle", lambda *args, **_: settle(*args))


def _relaunch_what_is_not_described(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(upkeep, "PATIENCE_WITH_UNKNOWN", timedelta(0))


def _adopt_whatever_has_the_name(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(SageMakerTraining, "is_ours", lambda *_: True)


def _requeue_the_cancelled(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Job, "was_cancelled", property(lambda _: False))


def _repeat_what_was_stopped_outside(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.ended

    def repeated(job: Job, attempt: Attempt, sighting: Sighting, now: datetime) -> Job:
        stopped = sighting.status == "Stopped" and job.stop is None
        return transitions.name_clashed(job, attempt, now) if stopped else ended(job, attempt, sighting, now)

    patches.setattr(transitions, "ended", repeated)


def _lose_the_age(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.ended

    def rejuvenated(job: Job, attempt: Attempt, sighting: Sighting, now: datetime) -> Job:
        return replace(ended(job, attempt, sighting, now), submitted_at=now)

    patches.setattr(transitions, "ended", rejuvenated)


def _forget_to_release(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(dynamodb_ledger, "change", lambda table, _demand, lease: dynamodb_ledger.check_lease(table, lease))


def _drop_the_fence(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(dynamodb_ledger, "_MINE", "attribute_exists(fence)")


def _believe_the_index(patches: pytest.MonkeyPatch) -> None:
    """What an index shows is launched, whatever has become of the job."""
    rewrite = dynamodb_writes.rewrite_waiting_job

    def unchecked(table: str, job: Job) -> Write:
        write = rewrite(table, job)
        return replace(write, action={"Put": write.action["Put"] | {"ConditionExpression": "attribute_exists(pk)"}})

    patches.setattr(dynamodb_writes, "rewrite_waiting_job", unchecked)


def _tell_duplicates_by_id(patches: pytest.MonkeyPatch) -> None:
    """And take every other event for news."""
    _trust_older_events(patches)
    seen: set[str] = set()

    def once(event: dict[str, Any]) -> tuple[str, Sighting]:
        if event["id"] in seen:
            raise BadEvent("a duplicate")
        seen.add(event["id"])
        return sighting_of(event)

    patches.setattr("training_events.handler.sighting_of", once)


def _list_one_page(patches: pytest.MonkeyPatch) -> None:
    list_created_after = SageMakerTraining.list_created_after

    def first_page(self: SageMakerTraining, *args: Any) -> ListPage:
        return replace(list_created_after(self, *args), next_token=None)

    patches.setattr(SageMakerTraining, "list_created_after", first_page)


def _leave_alarms(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(CloudWatchAlarms, "delete", lambda *_: None)


def _take_silence_for_idling(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(idle, "_is_complete", lambda *_: True)


def _ask_no_rules_at_launch(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Gate, "objections", lambda *_: ())


def _let_anybody_control(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Access, "require_control", lambda *_: None)


def _stop_for_a_warning(patches: pytest.MonkeyPatch) -> None:
    def may_stop(self: ForeignGuard, _rules: Rules, verdict: Verdict, _description: object) -> bool:
        return self.mode is GuardMode.STOP and bool(verdict.enforced or verdict.warnings)

    patches.setattr(ForeignGuard, "_may_stop", may_stop)


def _know_no_exemption(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Exemption, "covers", lambda *_: False)


def _stop_nobody_elses(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ForeignGuard, "_stop", lambda *_: None)


def _log_requests(patches: pytest.MonkeyPatch) -> None:
    send = upkeep.Upkeep._send

    def telling(self: upkeep.Upkeep, live: LiveJob, request: dict[str, object]) -> None:
        upkeep.logger.info("create", extra={"request": request})
        send(self, live, request)

    patches.setattr(upkeep.Upkeep, "_send", telling)


MUTATIONS: Mapping[str, Plant] = {
    "release budget at Stopping": _release_at_stopping,
    "a new name after a timeout": _new_name_after_a_timeout,
    "relaunch on Interrupted": _relaunch_when_interrupted,
    "trust an older event": _trust_older_events,
    "read only the first page": _read_one_page,
    "drop the condition on the reservation, where the planner overbooks": _overbook,
    "count a warm pool as free": _count_pools_as_free,
    "take 'not found' for 'gone'": _relaunch_what_is_not_described,
    "adopt whatever has the attempt's name": _adopt_whatever_has_the_name,
    "forget a cancellation": _requeue_the_cancelled,
    "start again what was stopped in the console": _repeat_what_was_stopped_outside,
    "lose the age of a preempted job": _lose_the_age,
    "settle without releasing": _forget_to_release,
    "log a request": _log_requests,
    "drop the fencing check": _drop_the_fence,
    "act on a stale index read": _believe_the_index,
    "tell duplicates by the event's id": _tell_duplicates_by_id,
    "ignore NextToken": _list_one_page,
    "leave the alarms of attempts that are over": _leave_alarms,
    "take missing metrics for idle GPUs": _take_silence_for_idling,
    "ask the rules at submission only": _ask_no_rules_at_launch,
    "let anybody control any job": _let_anybody_control,
    "stop foreign jobs whatever the rule's mode": _stop_for_a_warning,
    "ignore exemptions": _know_no_exemption,
    "leave foreign jobs that break the rules": _stop_nobody_elses,
}


def runs_until_found(name: str) -> tuple[int, str] | None:
    """How many runs it took, and the invariant that told."""
    with pytest.MonkeyPatch.context() as patches:
        MUTATIONS[name](patches)
        for seed in range(MOST_RUNS):
            try:
                run(seed)
            except Failure as failure:
                return seed + 1, failure.what.partition(":")[0]
    return None


def as_markdown() -> str:
    rows = ["| planted defect | found after runs | by |", "|---|---:|---|"]
    for name in MUTATIONS:
        runs, number = runs_until_found(name) or ("not found", "")
        rows.append(f"| {name} | {runs} | {number} |")
    return "\n".join(rows)
