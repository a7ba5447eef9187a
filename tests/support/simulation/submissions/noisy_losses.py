"""Draws what working and diverged programs write about their losses.

Working programs write `nan` in other contexts, infinite losses, or losses that are NaN for a while and recover.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

#: Minutes from the first NaN loss of a working program to its next other loss: a little shorter than the watch.
_LONGEST_NAN = 14
#: The fewest minutes with losses between two such times: each log is read once in six minutes.
_SHORTEST_RECOVERY = 8
_NUMBERS = (
    "step 12: train loss=0.25",
    "{'loss': 2.5e-3, 'grad_norm': nan, 'epoch': 1.0}",
    "loss: inf, halves the loss scale",
    "loss=-inf",
    "lm loss: 1.5 | nan iterations: 4",
    "loss=nan val_loss=0.3",
)
_NANS = ("step 12: train loss=nan", "{'loss': nan, 'epoch': 1.0}", "loss: tensor(nan, device='cuda:0')", "Loss = NaN")
_NO_LOSSES = ("dropped 3 nan rows", "loss_fn: nanmean", "accuracy: nan", "lossy codec: nan", "loss: nanmean of 8 hosts")


@dataclass(frozen=True)
class LossLog:
    """The lines of each minute in which a program writes."""

    nan_minutes: Collection[int]
    diverges: bool
    style: int
    lines: int

    def written_in(self, minute: int) -> Iterator[str]:
        styles = _NANS if minute in self.nan_minutes else _NUMBERS
        for number in range(self.lines):
            yield _NO_LOSSES[(minute + number) % len(_NO_LOSSES)]
            yield styles[self.style % len(styles)]


def losses_of(random: Random, writes: Sequence[bool]) -> LossLog | None:
    """Returns the losses of a program that does not hang and writes in these minutes; None if it writes none."""
    course = random.choice([*["none"] * 4, "numbers", "recovers", "recovers", "diverges"])
    if course == "none":
        return None
    minutes: Collection[int] = ()
    if course == "recovers":
        written = [minute for minute, is_written in enumerate(writes) if is_written]
        minutes = frozenset(_recovering(random, written))
    elif course == "diverges":
        minutes = range(random.randrange(5, 60), len(writes))
    return LossLog(minutes, course == "diverges", random.randrange(60), random.choice([3, 3, 30]))


def _recovering(random: Random, written: Sequence[int]) -> Iterator[int]:
    """Yields the minutes with NaN losses. They end in time, even before a pause in which nothing is written."""
    numbers, first = random.randint(1, 40), None
    for minute, following in pairwise(written):
        if numbers > 0:
            numbers -= 1
            continue
        first = minute if first is None else first
        if following - first <= _LONGEST_NAN:
            yield minute
        else:
            numbers, first = random.randint(_SHORTEST_RECOVERY, 40), None
