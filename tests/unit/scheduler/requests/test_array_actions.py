"""Actions on whole arrays record who asked for them."""

from scheduler.core.requests.arrays.array_actions import released
from scheduler.core.requests.arrays.job_array import JobArray, Wish
from support.builders.jobs import NOON, a_job


def test_a_release_is_recorded_as_that_of_its_user_even_if_an_approval_still_waits_for_its_check() -> None:
    approved = JobArray("sweep", a_job("sweep-0"), "..", updated_at=NOON, wish=Wish("ada"))
    assert released(approved, "bob").wish == Wish("bob", releases=True)
