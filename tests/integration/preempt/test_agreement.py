"""Two ranks agree on the step at which they save, on the checkpoint they load, and on the end of the wait."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from integration.preempt.machine import ENVIRON, STOP, Clock, Trainer, preemptible, put
from sagequeue_preempt.groups import Group, agree_on_newest
from support.deployed.waiting import eventually


class Meeting:
    """Ranks that are threads."""

    def __init__(self, size: int) -> None:
        self._barrier = threading.Barrier(size, timeout=60)
        self._given: list[tuple[int, ...]] = [()] * size

    def largest(self, rank: int, numbers: tuple[int, ...]) -> tuple[int, ...]:
        self._given[rank] = numbers
        self._barrier.wait()
        answer = tuple(map(max, *self._given))
        self._barrier.wait()
        return answer


class Rank:
    def __init__(self, meeting: Meeting, rank: int) -> None:
        self._meeting = meeting
        self.rank = rank

    def largest(self, *numbers: int) -> tuple[int, ...]:
        return self._meeting.largest(self.rank, numbers)


def train(folder: Path, group: Group, steps: int, due_at: int | None) -> tuple[int, list[str]]:
    """Trains one rank. It asks for a save of all ranks at one step, as SIGTERM would that reaches only one."""
    trainer, saves, environ = Trainer(), [], {"SAGEQUEUE_ATTEMPT": "a-sq-1"}
    with preemptible(folder, environ=environ, s3=object(), group=group, every_minutes=1e9, wait_seconds=3) as job:
        start = job.resume(trainer.load)
        for step in range(start, steps):
            trainer.train(step)
            if step == due_at:
                job._session._sigterm.received = True
            job.step(step, trainer.save)
            saves.append(",".join(sorted(path.name for path in folder.glob("save-*"))))
    return start, saves


def both(folder: Path, steps: int, due_at: int | None) -> list[tuple[int, list[str]]]:
    meeting = Meeting(2)
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(train, folder, Rank(meeting, rank), steps, due_at if rank else None) for rank in (0, 1)]
        return [run.result(60) for run in runs]


def test_a_signal_at_one_rank_saves_at_the_same_step_on_all_by_the_first(tmp_path: Path) -> None:
    first, second = both(tmp_path, 5, due_at=2)
    assert first == second
    assert first == (0, ["", "", *["save-000001-step-2"] * 3])


def test_all_ranks_resume_from_the_newest_checkpoint_that_each_of_them_has(tmp_path: Path) -> None:
    """On another host, the newest checkpoint may lack a file."""
    folders = [tmp_path / "host-1", tmp_path / "host-2"]
    for folder in folders:
        with preemptible(folder) as job:
            Trainer().run(job, 3)
    next(folders[0].glob("save-*-step-2/optimizer")).unlink()
    meeting = Meeting(2)
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(train, folders[rank], Rank(meeting, rank), 3, None) for rank in (0, 1)]
        assert [run.result(60)[0] for run in runs] == [2, 2]


@pytest.mark.parametrize(
    ("first", "second", "agreed"),
    [({10, 20}, {10, 20}, 20), ({10, 20}, {10, 30}, 10), ({20}, {10}, 0), ({20}, set(), 0), (set(), set(), 0)],
)
def test_ranks_agree_on_the_largest_number_that_each_of_them_has(
    first: set[int], second: set[int], agreed: int
) -> None:
    meeting = Meeting(2)

    def agree(rank: int, found: set[int]) -> int:
        def newest(most: int | None) -> int:
            return max((number for number in found if most is None or number <= most), default=0)

        return agree_on_newest(Rank(meeting, rank), newest)

    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(agree, rank, found) for rank, found in enumerate([first, second])]
        assert [run.result(60) for run in runs] == [agreed, agreed]


def test_all_ranks_wait_for_the_notice_that_only_the_first_reads(tmp_path: Path, s3: Any) -> None:
    put(s3, {**STOP, "notice_seconds": 1200})
    meeting = Meeting(2)

    def wait(rank: int) -> float:
        clock, trainer = Clock(), Trainer()
        own = {"environ": ENVIRON, "s3": s3, "clock": clock.time, "sleep": clock.sleep}
        with preemptible(tmp_path, group=Rank(meeting, rank), **own) as job:
            if rank == 0:
                eventually(lambda: job._session._asked_at, lambda asked_at: asked_at is not None, within=60)
            began = clock.now
            trainer.train(0)
            job.step(0, trainer.save)
            return clock.now - began

    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(wait, rank) for rank in (0, 1)]
        assert [run.result(60) for run in runs] == [1380, 1380]
