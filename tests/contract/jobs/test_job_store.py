"""JobStore: a job's record outside the cycle."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from contract.jobs.submitting import REQUEST, submit
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand, InstanceRange
from scheduler.core.jobs.job import NONCE_BYTES
from scheduler.core.jobs.job_state import JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.jobs.work.tuning import TuningLimits
from scheduler.core.requests.job_update import JobUpdate, updated
from scheduler.errors.internal import StaleJob, UnknownJob
from scheduler.errors.refusals import NameTaken, TokenReused
from scheduler.errors.unreadable import UnreadableBody
from support.builders.jobs import NOON, Choice, a_job, changed_job, unsealed
from support.dynamodb.stores import Stores


def test_a_submitted_job_is_kept_as_it_is(stores: Stores) -> None:
    past = EndedAttempt(
        "resnet-sq-1", 1, Outcome.PREEMPTED, NOON, NOON + timedelta(hours=1), NOON, "Stopped", "Stopped", "", "urgent"
    )
    job = a_job(
        demand=Demand.of({"ml.g5.xlarge": 1, "ml.p5.48xlarge": 2}),
        checkpoint_uri="s3://bucket/checkpoints",
        stop=Stop(StopCause.CANCELLATION, NOON, "ada"),
        history=(past,),
        attempts=1,
        preemptions=1,
        never_preempt=True,
        checkpoint_interval=600,
        instances=InstanceRange(1, 3),
        client_token="once",
    )
    submit(stores, job)
    assert unsealed(stores.jobs.get("resnet")) == job


def test_each_job_has_another_nonce(stores: Stores) -> None:
    submit(stores, a_job("one"), a_job("two"))
    one, two = (stores.jobs.get(name).nonce for name in ("one", "two"))
    assert len(one) == len(two) == 2 * NONCE_BYTES
    assert one != two


def test_the_request_is_kept_as_it_came(stores: Stores) -> None:
    stores.jobs.submit(a_job(), REQUEST)
    assert stores.jobs.request("resnet") == REQUEST


def test_a_request_too_large_for_an_item_is_kept_all_the_same(stores: Stores) -> None:
    noise = random.Random(0).randbytes(1_500_000).hex()  # noqa: S311 (not a secret, only incompressible)
    stores.jobs.submit(a_job(), {"Environment": {"NOISE": noise}})
    assert stores.jobs.request("resnet") == {"Environment": {"NOISE": noise}}


def test_requests_are_read_together_in_the_order_of_their_jobs(stores: Stores) -> None:
    jobs = [a_job(f"job-{number:03}") for number in range(130)]
    for job in jobs:
        stores.jobs.submit(job, {**REQUEST, "TrainingJobName": job.name})
    noise = random.Random(0).randbytes(500_000).hex()  # noqa: S311 (not a secret, only incompressible)
    large, lost = a_job("large"), a_job("lost")
    stores.jobs.submit(large, {"Environment": {"NOISE": noise}})
    jobs, large = [stores.jobs.get(job.name) for job in jobs], stores.jobs.get("large")
    *found, of_large, of_lost, again = stores.jobs.requests_of([*jobs, large, lost, jobs[0]])
    assert found == [{**REQUEST, "TrainingJobName": job.name} for job in jobs]
    assert of_large == {"Environment": {"NOISE": noise}}
    assert isinstance(of_lost, UnreadableBody)
    assert again == found[0]
    assert stores.jobs.requests_of([]) == []


def test_each_choice_has_its_request(stores: Stores) -> None:
    job = a_job()
    job = replace(job, choices=(job.spec, replace(job.spec, choice=1)))
    stores.jobs.submit(job, REQUEST, {"other": "body"})
    job = stores.jobs.get("resnet")
    assert stores.jobs.requests_of([job.as_choice(1), job.as_choice(0)]) == [{"other": "body"}, REQUEST]


def test_each_choice_of_a_tuning_job_has_its_limits(stores: Stores) -> None:
    wide, narrow = TuningLimits(parallel=2, most_trials=9), TuningLimits(parallel=1, most_trials=9)
    job = a_job(kind=WorkKind.TUNING, tuning=narrow, choice=1, min_parallel=1)
    job = replace(job, choices=(replace(job.spec, choice=0, tuning=wide), job.spec))
    stores.jobs.submit(job, REQUEST, {"other": "body"})
    assert unsealed(stores.jobs.get("resnet")) == job


def test_a_released_job_has_the_models_of_its_predecessors_in_its_request(stores: Stores) -> None:
    body = {"TrainingJobName": "resnet", "Environment": {"MODEL": "${jobs.prep.model}"}}
    stores.jobs.submit(a_job(), body)
    assert stores.jobs.request("resnet") == body
    stores.jobs.save(changed_job(stores.jobs.get("resnet"), models=(("prep", "s3://model"),)), by="schedule")
    filled = {**body, "Environment": {"MODEL": "s3://model"}}
    assert stores.jobs.request("resnet") == filled
    assert stores.jobs.requests_of([stores.jobs.get("resnet")]) == [filled]


def test_a_name_is_taken_once(stores: Stores) -> None:
    submit(stores, a_job(digest="first"))
    with pytest.raises(NameTaken):
        stores.jobs.submit(a_job(digest="second"), {"other": "body"})
    assert stores.jobs.get("resnet").digest == "first"
    assert stores.jobs.request("resnet") == REQUEST


def test_a_name_stays_taken_after_the_job_has_ended(stores: Stores) -> None:
    submit(stores, a_job())
    stores.jobs.save(changed_job(stores.jobs.get("resnet"), state=JobState.COMPLETED), by="schedule")
    with pytest.raises(NameTaken):
        submit(stores, a_job(digest="another"))


def test_a_token_is_its_owners_and_used_once(stores: Stores) -> None:
    submit(stores, a_job("first", owner="ada", client_token="t"), a_job("hers", owner="bob", client_token="t"))
    assert (stores.jobs.name_for_token("ada", "t"), stores.jobs.name_for_token("bob", "t")) == ("first", "hers")
    assert stores.jobs.name_for_token("ada", "other") is None
    with pytest.raises(TokenReused):
        submit(stores, a_job("second", owner="ada", client_token="t"))
    with pytest.raises(UnknownJob):
        stores.jobs.get("second")
    with pytest.raises(NameTaken):
        submit(stores, a_job("first", owner="ada", client_token="t", digest="another"))


def test_an_unknown_job_is_reported_as_such(stores: Stores) -> None:
    with pytest.raises(UnknownJob):
        stores.jobs.get("nobody")
    with pytest.raises(UnreadableBody):  # who asks for it knows the job
        stores.jobs.request("nobody")
    assert stores.live_attempts.attempt("nobody-sq-1") is None


def test_saving_gives_the_job_its_next_version(stores: Stores) -> None:
    submit(stores, a_job())
    saved = stores.jobs.save(a_job(priority=7), by="api")
    assert saved == stores.jobs.get("resnet")
    assert (saved.options.priority, saved.version) == (7, 1)


def test_saving_over_a_change_that_was_not_seen_is_refused(stores: Stores) -> None:
    submit(stores, a_job())
    seen = stores.jobs.get("resnet")
    stores.jobs.save(changed_job(seen, state=JobState.STOPPED), by="api")
    with pytest.raises(StaleJob):
        stores.jobs.save(changed_job(seen, state=JobState.PARKED), by="schedule")
    assert stores.jobs.get("resnet").status.state is JobState.STOPPED


def test_saving_makes_no_job_that_was_never_submitted(stores: Stores) -> None:
    with pytest.raises(StaleJob):
        stores.jobs.save(a_job(), by="schedule")


def test_a_check_of_idle_gpus_changes_what_it_found_and_nothing_else_of_the_job(stores: Stores) -> None:
    submit(stores, a_job(state=JobState.RUNNING, idle_warned_at=NOON))
    job = stores.jobs.get("resnet")
    stopping = transitions.stop_idle(changed_job(job, idle_warned_at=None), 30, NOON)
    saved = stores.jobs.save_idle_check(replace(stopping, owner="arn:somebody", digest="another"), by="idle_alarm")
    assert stores.jobs.get("resnet") == replace(stopping, version=job.version + 1)
    assert saved.version == job.version + 1
    with pytest.raises(StaleJob):
        stores.jobs.save_idle_check(stopping, by="idle_alarm")


def test_a_check_of_idle_gpus_makes_no_job_that_was_never_submitted(stores: Stores) -> None:
    with pytest.raises(StaleJob):
        stores.jobs.save_idle_check(a_job(state=JobState.RUNNING), by="idle_alarm")


def test_an_updated_limit_of_each_choice_is_kept_unless_another_writer_came_first(stores: Stores) -> None:
    demand = Demand.of({"ml.g5.xlarge": 1})
    submit(stores, a_job(max_runtime=600, choices=[Choice(demand, 600), Choice(demand, 900, has_own_limit=True)]))
    read = stores.jobs.get("resnet")
    changed = updated(read, JobUpdate({"priority": 3, "deadline": "2026-11-23T12:00:00Z"}, 300), "ada", NOON)
    stores.jobs.save(transitions.park(read, Reason(ReasonCode.CREATE_REFUSED, "no such role"), NOON), by="schedule")
    with pytest.raises(StaleJob):
        stores.jobs.save(changed, by="api")
    again = updated(stores.jobs.get("resnet"), JobUpdate({"priority": 3}, 300), "ada", NOON)
    assert stores.jobs.save(again, by="api") == stores.jobs.get("resnet")
    assert [choice.max_runtime for choice in stores.jobs.get("resnet").choices] == [300, 900]
