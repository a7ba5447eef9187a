"""The store in memory can be copied, and counts when the scheduler would wake."""

from scheduler.core.jobs.job_state import JobState
from support.builders.jobs import a_job, changed_job, unsealed
from support.memory.store import MemoryStore


def test_a_copy_goes_its_own_way() -> None:
    store = MemoryStore()
    store.submit(a_job(), {})
    copy = store.copy()
    copy.save(changed_job(a_job(), state=JobState.STOPPED), by="api")
    copy.submit(a_job("another"), {})
    assert (unsealed(store.get("resnet")), list(store.jobs)) == (a_job(), ["resnet"])


def test_the_scheduler_wakes_for_changes_of_others_only() -> None:
    store = MemoryStore()
    store.submit(a_job(), {})
    parked = store.save(changed_job(a_job(), state=JobState.PARKED), by="schedule")
    assert store.wake_ups == 1
    store.save(changed_job(parked, state=JobState.PENDING), by="api")
    assert store.wake_ups == 2
