"""`sagequeue replay`: the history once more, under another budget or policy."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from queue_replay.comparing import as_it_was, as_json, as_replayed, comparison, recorded
from queue_replay.past import Past, past_of
from queue_replay.replaying import Replay
from sagequeue import QueueClient
from sagequeue.cli.spans import since_option, until_option
from scheduler import strict_json
from scheduler.domain.budget import Budget
from scheduler.domain.policy import Policy
from scheduler.domain.price_snapshot import SNAPSHOT
from scheduler.errors import BadSetting


@click.command()
@since_option("30d")
@until_option
@click.option("--budget", "lines", multiple=True, help="TYPE=N, repeatable; of other types the queue's own holds.")
@click.option("--policy", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="JSON, as POLICY.")
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), help="Waiting and held over time: .svg, .png."
)
@click.option("--json", "as_data", is_flag=True, help="For programs; in seconds.")
def replay(
    since: datetime,
    until: datetime | None,
    lines: tuple[str, ...],
    file: Path | None,
    picture: Path | None,
    *,
    as_data: bool,
) -> None:
    """Play the jobs of the history through the production planner again, under another budget or policy.

    FILE has settings of the policy as docs/policy.md names them, as in {"patience": 0}; others have their defaults.
    """
    queue = QueueClient()
    budget = _budget(queue.queue()["budget"], lines)
    policy = _policy(file, budget)
    until = until or datetime.now(UTC)
    past = past_of(queue.history(since.isoformat(), until.isoformat()), since)
    if not past.jobs:
        raise click.ClickException("The history has no job that began and ended in that time.")
    replayed = Replay(past, budget, policy)
    replayed.run()
    if picture:
        _draw(picture, past, replayed)
    _print(past, replayed, as_data=as_data)


def _draw(file: Path, past: Past, replayed: Replay) -> None:
    from queue_replay.picture import draw  # takes a second to import

    try:
        draw(file, recorded(past), replayed.attempts)
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--picture") from error


def _print(past: Past, replayed: Replay, *, as_data: bool) -> None:
    before, after = as_it_was(past, SNAPSHOT), as_replayed(replayed, SNAPSHOT)
    if as_data:
        click.echo(json.dumps(as_json(before, after, past, replayed), indent=2))
        return
    Console(highlight=False).print(comparison(before, after))
    if past.left_out:
        click.echo(f"{past.left_out} jobs are left out: they began before, have not ended, or never trained.")
    if replayed.stuck:
        click.echo(f"Never started: {', '.join(replayed.stuck[:5])}: the budget is too small for them.")


def _budget(own: Mapping[str, Any], lines: tuple[str, ...]) -> Budget:
    try:
        chosen = Budget.parse(",".join(lines)).as_dict() if lines else {}
    except BadSetting as error:
        raise click.BadParameter(str(error), param_hint="--budget") from error
    return Budget.of({kind: line["limit"] for kind, line in own.items()} | chosen)


def _policy(file: Path | None, budget: Budget) -> Policy:
    if file is None:
        return Policy()
    try:
        return Policy.parse(strict_json.loads(file.read_text()), budget.limit)
    except (BadSetting, ValueError, AttributeError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--policy") from error
