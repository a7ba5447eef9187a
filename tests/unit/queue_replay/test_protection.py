"""Protection can end at saves that make the loss small, and ends with the protected run time."""

import pytest

from queue_replay.protection import ends_of_protection
from scheduler.core.planner.policy import Policy


@pytest.mark.parametrize(
    ("interval", "trains_after", "ends"),
    [
        (None, 0, [10_800]),
        (1800, 0, [3600, 5400, 7200, 9000, 10_800]),
        (1800, 300, [3900, 5700, 7500, 9300, 10_800]),
        (7200, 0, [7200, 10_800]),
        (14_400, 0, [10_800]),
    ],
)
def test_protection_can_end_at_a_save_of_which_a_restart_is_at_most_a_tenth(
    interval: int | None, trains_after: int, ends: list[int]
) -> None:
    policy = Policy(protected_run_time=10_800, restart_time=300)
    assert list(ends_of_protection(policy, policy, interval, trains_after)) == ends
