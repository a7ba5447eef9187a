"""Open callbacks: they come with their job, and stay until they are closed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from contract.jobs.submitting import REQUEST, submit
from scheduler.core.history.callbacks.callback import Callback, CallbackKind
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.job_state import JobState
from scheduler.errors.refusals import NameTaken
from scheduler.ports.job_store import API
from support.builders.jobs import NOON, a_job, changed_job
from support.dynamodb.stores import Stores

TASK = Callback("resnet", CallbackKind.TASK_TOKEN, "token", NOON)
BUS = Callback("resnet", CallbackKind.EVENT_BUS, "sagequeue-vision", NOON)


def opened(stores: Stores) -> set[tuple[str, CallbackKind]]:
    return {(one.address, one.kind) for one in stores.callbacks.open()}


def test_a_new_job_brings_its_callbacks(stores: Stores) -> None:
    stores.jobs.submit(a_job(), REQUEST, callbacks=[TASK, BUS])
    found = stores.callbacks.open()
    assert {one.key: one for one in found} == {TASK.key: TASK, BUS.key: BUS}
    assert [one.job for one in stores.callbacks.with_jobs(found)] == [stores.jobs.get("resnet")] * 2


def test_a_refused_submission_leaves_no_callback(stores: Stores) -> None:
    submit(stores, a_job())
    with pytest.raises(NameTaken):
        stores.jobs.submit(a_job(), REQUEST, callbacks=[TASK])
    assert not stores.callbacks.open()


def test_a_job_may_get_further_callbacks_and_each_of_them_once(stores: Stores) -> None:
    stores.jobs.submit(a_job(), REQUEST, callbacks=[TASK])
    stores.callbacks.add([replace(TASK, address="another"), TASK, BUS])
    assert opened(stores) == {
        ("token", CallbackKind.TASK_TOKEN),
        ("another", CallbackKind.TASK_TOKEN),
        ("sagequeue-vision", CallbackKind.EVENT_BUS),
    }


def test_a_closed_callback_is_gone_and_may_be_closed_again(stores: Stores) -> None:
    stores.jobs.submit(a_job(), REQUEST, callbacks=[TASK, BUS])
    stores.callbacks.close(TASK)
    stores.callbacks.close(TASK)
    assert opened(stores) == {("sagequeue-vision", CallbackKind.EVENT_BUS)}


def test_a_job_shows_its_own_callbacks_only(stores: Stores) -> None:
    stores.jobs.submit(a_job(), REQUEST, callbacks=[TASK, BUS])
    stores.callbacks.add([replace(TASK, job="resnet-2"), replace(TASK, job="resne")])
    assert {one.key for one in stores.callbacks.open_for("resnet")} == {TASK.key, BUS.key}
    assert [one.job for one in stores.callbacks.open_for("resnet-2")] == ["resnet-2"]
    assert not stores.callbacks.open_for("bert")


def test_a_callback_whose_job_is_missing_is_still_open(stores: Stores) -> None:
    stores.callbacks.add([TASK])
    (found,) = stores.callbacks.with_jobs(stores.callbacks.open())
    assert (found.callback, found.job, found.is_due) == (TASK, None, True)


def test_the_jobs_that_ended_last_are_found_by_the_time_of_their_end(stores: Stores) -> None:
    for minute, name in enumerate(["bert", "resnet", "whisper"]):
        submit(stores, a_job(name))
        job = changed_job(stores.jobs.get(name), state=JobState.STOPPED, updated_at=NOON + timedelta(minutes=minute))
        stores.jobs.save(job, by=API)
    submit(stores, a_job("waiting"))
    assert {*stores.callbacks.ended_since(NOON + timedelta(seconds=1), 10)} == {"resnet", "whisper"}
    assert {*stores.callbacks.ended_since(NOON - timedelta(hours=1), 1)} == {"whisper"}


def test_the_results_of_a_job_are_stored_with_its_last_attempt(stores: Stores) -> None:
    ended = EndedAttempt(
        "resnet-sq-1", 1, Outcome.COMPLETED, NOON, NOON, model_artifacts="s3://m", metrics=(("a", "0.1"),)
    )
    submit(stores, a_job())
    stores.jobs.save(changed_job(stores.jobs.get("resnet"), state=JobState.COMPLETED, history=(ended,)), by=API)
    assert stores.jobs.get("resnet").status.history == (ended,)
