"""Reads the jobs of a replay from the queue or a file, and the budget, configuration and prices that apply to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from queue_replay import configuration
from queue_replay.recorded_jobs import Recording, read_recording
from queue_replay.trace_file import BadTrace, read_trace, unused_columns
from sagequeue import QueueClient
from scheduler.core.configuration.kinds import Sections
from scheduler.core.jobs.budget import Budget
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.errors.internal import BadSetting


@dataclass(frozen=True, slots=True)
class Source:
    heading: str
    recording: Recording
    budget: Budget
    sections: Sections  # of the configuration, unless an option replaces them
    prices: PriceList
    has_attempts: bool  # false for a trace, which has no recorded schedule


def read_file_of_jobs(file: Path, checkpoint: int | None, lines: Sequence[str]) -> Source:
    if not lines:
        raise click.UsageError("--trace needs --budget TYPE=N, once for each instance type of the jobs.")
    budget = _budget({}, lines)
    try:
        recording = read_trace(file, budget.types[0] if len(budget.types) == 1 else None, checkpoint)
    except BadTrace as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--trace") from error
    if unused := unused_columns(file):
        click.echo(f"Unused columns: {', '.join(unused)}.", err=True)
    return Source(f"Replay of {file.name}", recording, budget, {}, SNAPSHOT, has_attempts=False)


def read_history(since: datetime, until: datetime | None, lines: Sequence[str]) -> Source:
    queue = QueueClient()
    budget = _budget(configuration.own_budget(queue), lines)
    sections, prices = configuration.own_sections(queue), configuration.known_prices(queue)
    until = until or datetime.now(UTC)
    recording = read_recording(queue.history(since.isoformat(), until.isoformat()), since)
    heading = f"Replay of {since:%Y-%m-%d} to {until:%Y-%m-%d}"
    return Source(heading, recording, budget, sections, prices, has_attempts=True)


def _budget(own: Mapping[str, int], lines: Sequence[str]) -> Budget:
    try:
        chosen = Budget.parse(",".join(lines)).as_dict() if lines else {}
    except BadSetting as error:
        raise click.BadParameter(str(error), param_hint="--budget") from error
    return Budget.of({**own, **chosen})
