"""`sagequeue replay`: replays the history under another budget or configuration."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console

from queue_replay import configuration
from queue_replay.comparison import (
    Figures,
    as_json,
    comparison,
    recorded_attempts,
    recorded_figures,
    replayed_figures,
)
from queue_replay.recorded_jobs import Recording, read_recording
from queue_replay.replay import Replay
from sagequeue import QueueClient
from sagequeue.cli.options import since_option, until_option
from scheduler.core.jobs.budget import Budget
from scheduler.errors.internal import BadSetting

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@since_option("30d")
@until_option
@click.option("--budget", "lines", multiple=True, help="TYPE=N, repeatable; other types keep the queue's budget.")
@click.option(
    "--config",
    "files",
    type=_FILE,
    multiple=True,
    help="File of `config apply`, repeatable: one replay each. Sections it omits keep the queue's content.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw waiting jobs and held instances: .svg, .png.",
)
@click.option("--json", "as_data", is_flag=True, help="Print JSON; times in seconds.")
def replay(
    since: datetime,
    until: datetime | None,
    lines: tuple[str, ...],
    files: tuple[Path, ...],
    picture: Path | None,
    *,
    as_data: bool,
) -> None:
    """Replay the jobs of the history with another budget or configuration.

    A replay uses the sections policy, shares, calendar and prices of --config. Several files are compared.
    """
    if picture and len(files) > 1:
        raise click.UsageError("--picture draws one replay. Give one --config.")
    queue = QueueClient()
    budget = _budget(configuration.own_budget(queue), lines)
    settings = {_title(file, files): configuration.configuration(queue, file) for file in files or (None,)}
    prices = configuration.known_prices(queue)
    until = until or datetime.now(UTC)
    recording = read_recording(queue.history(since.isoformat(), until.isoformat()), since)
    if not recording.jobs:
        raise click.ClickException("No job in the history began and ended in that time. Choose an earlier --since.")
    replays = {
        title: Replay(recording, budget, applied.policy, applied.calendar) for title, applied in settings.items()
    }
    for replayed in replays.values():
        replayed.run()
        if picture:
            _draw(picture, recording, replayed)
    after = {
        title: replayed_figures(replayed, settings[title].prices.over(prices)) for title, replayed in replays.items()
    }
    _print(recorded_figures(recording, prices), after, recording, replays, as_data=as_data)


def _title(file: Path | None, files: Sequence[Path]) -> str:
    return str(file) if len(files) > 1 else "replayed"


def _draw(file: Path, recording: Recording, replayed: Replay) -> None:
    from queue_replay.picture import draw  # the import takes a second

    try:
        draw(file, recorded_attempts(recording), replayed.attempts)
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--picture") from error


def _print(
    before: Figures,
    after: Mapping[str, Figures],
    recording: Recording,
    replays: Mapping[str, Replay],
    *,
    as_data: bool,
) -> None:
    if as_data:
        click.echo(json.dumps(as_json(before, after, recording, replays), indent=2))
        return
    Console(highlight=False).print(comparison(before, after))
    if recording.left_out:
        click.echo(f"{recording.left_out} jobs are left out: they began earlier, are still running, or did not train.")
    never_started = {name: None for replayed in replays.values() for name in replayed.never_started}
    if never_started:
        click.echo(f"Never started: {', '.join([*never_started][:5])}. The budget is too small for them.")


def _budget(own: Mapping[str, int], lines: tuple[str, ...]) -> Budget:
    try:
        chosen = Budget.parse(",".join(lines)).as_dict() if lines else {}
    except BadSetting as error:
        raise click.BadParameter(str(error), param_hint="--budget") from error
    return Budget.of({**own, **chosen})
