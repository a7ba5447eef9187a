"""`sagequeue replay`: the history once more, under another budget, policy, calendar or price."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console

from queue_replay import configuration
from queue_replay.comparison import Figures, as_it_was, as_json, as_replayed, comparison, recorded
from queue_replay.recorded_jobs import Learned, past_of
from queue_replay.replay import Replay
from sagequeue import QueueClient
from sagequeue.cli.options import since_option, until_option
from scheduler.core.documents import strict_json
from scheduler.core.jobs.budget import Budget
from scheduler.core.planner.policy import Policy
from scheduler.errors.internal import BadSetting

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@since_option("30d")
@until_option
@click.option("--budget", "lines", multiple=True, help="TYPE=N, repeatable; of other types the queue's own holds.")
@click.option("--policy", "policy_file", type=_FILE, help="JSON, as POLICY.")
@click.option("--calendar", "calendar_file", type=_FILE, help="As of `calendar apply`; else the one in force.")
@click.option("--prices", "prices_file", type=_FILE, help="As of `prices apply`: what the replay costs.")
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), help="Waiting and held over time: .svg, .png."
)
@click.option("--json", "as_data", is_flag=True, help="For programs; in seconds.")
def replay(
    since: datetime,
    until: datetime | None,
    lines: tuple[str, ...],
    policy_file: Path | None,
    calendar_file: Path | None,
    prices_file: Path | None,
    picture: Path | None,
    *,
    as_data: bool,
) -> None:
    """Play the jobs of the history through the production planner again, under another budget, policy or calendar.

    The file of --policy has settings as docs/policy.md names them, as in {"patience": 0}; others have their defaults.
    """
    queue = QueueClient()
    budget = _budget(configuration.own_budget(queue), lines)
    policy = _policy(policy_file, budget)
    budget_schedule = configuration.budget_schedule(queue, calendar_file)
    prices = configuration.prices_in_force(queue)
    others = configuration.other_prices(prices_file, prices)
    until = until or datetime.now(UTC)
    past = past_of(queue.history(since.isoformat(), until.isoformat()), since)
    if not past.jobs:
        raise click.ClickException("The history has no job that began and ended in that time.")
    replayed = Replay(past, budget, policy, budget_schedule)
    replayed.run()
    if picture:
        _draw(picture, past, replayed)
    figures = as_it_was(past, prices), as_replayed(replayed, others)
    _print(*figures, past, replayed, as_data=as_data)


def _draw(file: Path, past: Learned, replayed: Replay) -> None:
    from queue_replay.picture import draw  # takes a second to import

    try:
        draw(file, recorded(past), replayed.attempts)
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--picture") from error


def _print(before: Figures, after: Figures, past: Learned, replayed: Replay, *, as_data: bool) -> None:
    if as_data:
        click.echo(json.dumps(as_json(before, after, past, replayed), indent=2))
        return
    Console(highlight=False).print(comparison(before, after))
    if past.left_out:
        click.echo(f"{past.left_out} jobs are left out: they began before, have not ended, or never trained.")
    if replayed.stuck:
        click.echo(f"Never started: {', '.join(replayed.stuck[:5])}: the budget is too small for them.")


def _budget(own: Mapping[str, int], lines: tuple[str, ...]) -> Budget:
    try:
        chosen = Budget.parse(",".join(lines)).as_dict() if lines else {}
    except BadSetting as error:
        raise click.BadParameter(str(error), param_hint="--budget") from error
    return Budget.of({**own, **chosen})


def _policy(file: Path | None, budget: Budget) -> Policy:
    if file is None:
        return Policy()
    try:
        return Policy.parse(strict_json.loads(file.read_text()), budget.limit)
    except (BadSetting, ValueError, AttributeError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--policy") from error
