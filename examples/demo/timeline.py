"""Draws a line for each instance, which shows the jobs that used it over time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.table import Table
from rich.text import Text

WIDTH = 60
TICK_SECONDS = 10


@dataclass(frozen=True)
class Stay:
    """The time of an attempt on an instance."""

    job: str
    start: datetime
    end: datetime
    color: str
    cut_short: bool  # preempted


def timeline(stays: Sequence[Stay]) -> Table:
    """Draws a line for each instance that was needed, from the first start to the last end."""
    begin = min(stay.start for stay in stays)
    scale = Scale(begin, (max(stay.end for stay in stays) - begin).total_seconds())
    table = Table(title="Instances", title_justify="left", box=None, show_header=False, pad_edge=False)
    table.add_row("", scale.ruler())
    for number, lane in enumerate(assign(stays), start=1):
        table.add_row(f"instance {number}", draw(lane, scale))
    return table


def assign(stays: Iterable[Stay]) -> list[list[Stay]]:
    """Assigns each stay to the first instance that is free at its start. Stays of an instance never overlap."""
    lanes: list[list[Stay]] = []
    for stay in sorted(stays, key=lambda stay: stay.start):
        free = next((lane for lane in lanes if lane[-1].end <= stay.start), None)
        if free is None:
            lanes.append([stay])
        else:
            free.append(stay)
    return lanes


@dataclass(frozen=True)
class Scale:
    """Converts times to columns."""

    begin: datetime
    seconds: float

    def column(self, time: datetime) -> int:
        return round((time - self.begin).total_seconds() / self.seconds * WIDTH)

    def ruler(self) -> Text:
        line = Text(style="dim")
        for second in range(0, int(self.seconds), TICK_SECONDS):
            line.append(" " * (round(second / self.seconds * WIDTH) - len(line)))
            line.append(f"{second} s")
        return line


def draw(lane: Iterable[Stay], scale: Scale) -> Text:
    line = Text()
    for stay in lane:
        line.append(" " * (scale.column(stay.start) - len(line)))
        line.append(bar(stay, scale.column(stay.end) - scale.column(stay.start)))
    return line


def bar(stay: Stay, columns: int) -> Text:
    label = f" {stay.job} " + ("✂" if stay.cut_short else "")
    return Text(label[:columns].ljust(columns), style=f"black on {stay.color}")
