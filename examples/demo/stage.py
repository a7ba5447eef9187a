"""Runs the steps of the scenario: it submits jobs, waits for the expected states, and shows the queue."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from examples.demo import logs
from examples.demo.jobs import COLORS, Training, submit
from rich.console import Console
from rich.table import Table
from rich.text import Text
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from sagequeue import QueueClient, QueueSession
from sagequeue.contract.jobs import LIVE, QUEUED, Job

TIMEOUT_SECONDS = 120
POLL_SECONDS = 0.5
UNEXPECTED = {"failed", "stopped", "parked"}

Jobs = dict[str, Job]
Value = TypeVar("Value")


class DemoFailed(Exception):
    """A step of the scenario failed or timed out."""


class Stage:
    def __init__(self, session: QueueSession, console: Console) -> None:
        self.queue = QueueClient(session=session.boto_session)
        self.logs = session.boto_session.client("logs")
        self._session = session
        self._console = console

    def submit(self, *trainings: Training) -> None:
        self._console.print()
        for training in trainings:
            submit(training, self._session)
            self._console.print(f"→ {training.name} submitted with priority {training.priority}", style=training.color)

    def until(self, step: str, *conditions: Callable[[Jobs], bool]) -> None:
        """Waits until all conditions hold at the same time, then shows the queue."""
        jobs = wait(step, self.jobs, lambda jobs: all(holds(jobs) for holds in conditions))
        self._console.print(f"\n[bold]{step}[/]", board(jobs.values()), sep="\n")

    def until_epoch(self, training: Training, epoch: int) -> None:
        """Waits until the script has trained for so long that a preemption would lose work."""
        wait(f"{training.name} reaches epoch {epoch}", lambda: self.printed(training), logs.has_epoch(epoch))

    def until_resumed(self, training: Training) -> None:
        """Waits for the log line with the epoch at which the script continues, and shows it."""
        printed = wait(f"{training.name} resumes", lambda: self.printed(training), logs.resumption)
        self._console.print(f"{training.name}'s log: [bold]{logs.resumption(printed)}[/]", style=training.color)

    def jobs(self) -> Jobs:
        jobs = {job["name"]: job for job in self.queue.list()}
        for job in jobs.values():
            if job["state"] in UNEXPECTED:
                raise DemoFailed(f"{job['name']} is {job['state']}: {job['reason']['message']}")
        return jobs

    def printed(self, training: Training) -> list[str]:
        """Returns what the latest attempt has printed so far."""
        attempts = self.queue.get(training.name)["attempts"]
        return logs.lines(self.logs, attempts[-1]["name"])


def wait(step: str, probe: Callable[[], Value], holds: Callable[[Value], object]) -> Value:
    """Repeats `probe` until its value holds, and returns it. Raises DemoFailed after the timeout."""

    def give_up(_: object) -> Value:
        raise DemoFailed(f"this step did not come within {TIMEOUT_SECONDS} s: {step}")

    patiently = Retrying(
        stop=stop_after_delay(TIMEOUT_SECONDS),
        wait=wait_fixed(POLL_SECONDS),
        retry=retry_if_result(lambda value: not holds(value)),
        retry_error_callback=give_up,
    )
    return patiently(probe)


def board(jobs: Iterable[Job]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", collapse_padding=True)
    for heading in ("job", "priority", "state", "attempt", "instances", "why"):
        table.add_column(heading, justify="right" if heading in {"priority", "attempt"} else "left")
    for job in sorted(jobs, key=lambda job: job["name"]):
        table.add_row(*row(job), style=COLORS[job["name"]])
    return table


def row(job: Job) -> tuple[str | Text, ...]:
    return (
        job["name"],
        str(job["priority"]),
        Text(job["state"], style=emphasis(job["state"])),
        str(len(job["attempts"]) or "–"),
        " + ".join(f"{count} × {kind}" for kind, count in job["instances"].items()),
        job["reason"]["message"],
    )


def emphasis(state: str) -> str:
    """Returns the style of a state: bold for live jobs, dim for finished ones."""
    if state in LIVE:
        return "bold"
    return "" if state in QUEUED else "dim"
