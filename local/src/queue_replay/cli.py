"""`sagequeue replay`: replays the history, or the jobs in a file, under another budget or configuration."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

import click

from queue_replay.comparison import Figures, as_json, comparison, recorded_attempts, recorded_figures, replayed_figures
from queue_replay.recorded_jobs import Recording
from queue_replay.replay import Replay
from queue_replay.sources import Source, read_file_of_jobs, read_history
from queue_replay.variants import Setting, Variant, replay_all, variants
from sagequeue.cli.console import console
from sagequeue.cli.options import since_option, until_option
from scheduler.core.sections.durations import parse_duration

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _seconds(_context: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    try:
        return None if text is None else parse_duration(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@since_option("30d")
@until_option
@click.option(
    "--trace", type=_FILE, help="CSV file of jobs to replay, instead of the history. Needs --budget, and no queue."
)
@click.option(
    "--checkpoint-interval",
    "checkpoint",
    callback=_seconds,
    metavar="DURATION",
    help="Time between saves, such as 30m, for jobs whose line in --trace gives none.  [no saves]",
)
@click.option("--budget", "lines", multiple=True, help="TYPE=N, repeatable; other types keep the queue's budget.")
@click.option(
    "--config",
    "files",
    type=_FILE,
    multiple=True,
    help="Configuration file to try; repeat it for more replays. Omitted sections stay as in the queue.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="SECTION.MEMBER=VALUE,…",
    help="Values to try; repeatable. Each combination gets its own replay.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw a chart of waiting jobs and held instances into this .svg or .png file.",
)
@click.option(
    "--report",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a web page with pictures into this folder.",
)
@click.option("--json", "as_data", is_flag=True, help="Print JSON, with times in seconds.")
def replay(
    since: datetime,
    until: datetime | None,
    trace: Path | None,
    checkpoint: int | None,
    lines: tuple[str, ...],
    files: tuple[Path, ...],
    settings: tuple[str, ...],
    picture: Path | None,
    report: Path | None,
    *,
    as_data: bool,
) -> None:
    """Replay jobs from the history, or from a file, with another budget or configuration. A replay uses the sections
    policy, shares, calendar and prices from --config. If you give several files or values, the command compares them.
    """
    tried = [Setting.parse(text) for text in settings]
    if checkpoint and not trace:
        raise click.UsageError("--checkpoint-interval needs --trace: the history has the intervals of its jobs.")
    if (picture or report) and find_spec("matplotlib") is None:
        raise click.UsageError("Pictures need matplotlib. Install it: pip install matplotlib.")
    source = read_file_of_jobs(trace, checkpoint, lines) if trace else read_history(since, until, lines)
    found = variants(source.sections, files, tried)
    if not source.recording.jobs:
        in_history = "No job in the history began and ended in that time. Choose an earlier --since."
        raise click.ClickException(f"{trace} has no jobs." if trace else in_history)
    if picture and (len(found) > 1 or trace):
        raise click.UsageError("--picture draws one replay of the history. For anything else, use --report.")
    replays = replay_all(source.recording, source.budget, found)
    if picture:
        (replayed,) = replays.values()
        _draw(picture, source.recording, replayed)
    before = recorded_figures(source.recording, source.prices) if source.has_attempts else None
    after = {
        title: replayed_figures(replays[title], variant.configuration.prices.over(source.prices))
        for title, variant in found.items()
    }
    if report:
        _report(report, source, found, replays, tried, before, after)
    _print(before, after, source.recording, replays, as_data=as_data)


def _draw(file: Path, recording: Recording, replayed: Replay) -> None:
    from queue_replay.picture import draw  # the import takes a second

    try:
        draw(file, recorded_attempts(recording), replayed.attempts)
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--picture") from error


def _report(
    folder: Path,
    source: Source,
    found: Mapping[str, Variant],
    replays: Mapping[str, Replay],
    settings: Sequence[Setting],
    before: Figures | None,
    after: Mapping[str, Figures],
) -> None:
    from queue_replay.report_page import Result, write_report  # the import takes a second

    results = {title: Result(figures, replays[title].attempts) for title, figures in after.items()}
    if before:
        results = {"recorded": Result(before, recorded_attempts(source.recording))} | results
    try:
        page = write_report(folder, source.heading, results, found, settings)
    except OSError as error:
        raise click.BadParameter(f"{folder}: {error}", param_hint="--report") from error
    click.echo(f"Wrote {page}.", err=True)


def _print(
    before: Figures | None,
    after: Mapping[str, Figures],
    recording: Recording,
    replays: Mapping[str, Replay],
    *,
    as_data: bool,
) -> None:
    if as_data:
        click.echo(json.dumps(as_json(before, after, recording, replays), indent=2))
        return
    console().print(comparison(before, after))
    if recording.left_out:
        click.echo(f"{recording.left_out} jobs are left out: they began earlier, are still running, or did not train.")
    never_started = {name: None for replayed in replays.values() for name in replayed.never_started}
    if never_started:
        click.echo(f"Never started: {', '.join([*never_started][:5])}. The budget is too small for them.")
