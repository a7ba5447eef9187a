"""Where the scenario is played: submits jobs, waits for what must follow, shows the queue."""

from collections.abc import Callable
from typing import TypeVar

from examples.demo import logs
from examples.demo.board import board
from examples.demo.jobs import Training, submit
from rich.console import Console
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from sagequeue import QueueClient, QueueSession
from sagequeue.contract.jobs import Job

PATIENCE_SECONDS = 120
POLL_SECONDS = 0.5
NEVER_HERE = {"failed", "stopped", "parked"}

Jobs = dict[str, Job]
Value = TypeVar("Value")


class Derailed(Exception):
    """The scenario does not go on as it must."""


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

    def until(self, news: str, *conditions: Callable[[Jobs], bool]) -> None:
        """Wait until the conditions hold at the same time, then show the queue."""
        jobs = wait(news, self.jobs, lambda jobs: all(holds(jobs) for holds in conditions))
        self._console.print(f"\n[bold]{news}[/]", board(jobs.values()), sep="\n")

    def until_epoch(self, training: Training, epoch: int) -> None:
        """Wait until the script has trained so long that there is something to lose."""
        wait(f"{training.name} reaches epoch {epoch}", lambda: self.printed(training), logs.tells_of_epoch(epoch))

    def until_resumed(self, training: Training) -> None:
        """Wait for the line in the log that tells where the script goes on, and show it."""
        printed = wait(f"{training.name} resumes", lambda: self.printed(training), logs.resumption)
        self._console.print(f"{training.name}'s log: [bold]{logs.resumption(printed)}[/]", style=training.color)

    def jobs(self) -> Jobs:
        jobs = {job["name"]: job for job in self.queue.list()}
        for job in jobs.values():
            if job["state"] in NEVER_HERE:
                raise Derailed(f"{job['name']} is {job['state']}: {job['reason']['message']}")
        return jobs

    def printed(self, training: Training) -> list[str]:
        """What the latest attempt printed so far."""
        attempts = self.queue.get(training.name)["attempts"]
        return logs.lines(self.logs, attempts[-1]["name"])


def wait(news: str, probe: Callable[[], Value], holds: Callable[[Value], object]) -> Value:
    """What `probe` returns as soon as it is as expected. Raises Derailed if that takes too long."""

    def give_up(_: object) -> Value:
        raise Derailed(f"in {PATIENCE_SECONDS} s this did not come: {news}")

    patiently = Retrying(
        stop=stop_after_delay(PATIENCE_SECONDS),
        wait=wait_fixed(POLL_SECONDS),
        retry=retry_if_result(lambda value: not holds(value)),
        retry_error_callback=give_up,
    )
    return patiently(probe)
