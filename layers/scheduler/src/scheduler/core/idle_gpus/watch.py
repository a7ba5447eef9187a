"""Defines a watch: how long hosts must be unused before a rule applies, and when the watch begins."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.core.jobs.attempt import Attempt

#: Seconds. One of every five consecutive sweeps covers four minutes more than the window.
_FOR_LATE_METRICS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The times that the rules for idle GPUs and for hangs share."""

    minutes: int = 15  # a rule applies if the hosts were unused for this long
    grace_minutes: int = 15  # minutes from the start of training in which hosts may be unused
    exempt_minutes: int = 24 * 60  # the same for exempt jobs: no exemption lasts forever

    @property
    def window(self) -> timedelta:
        return timedelta(minutes=self.minutes)

    @property
    def grace(self) -> timedelta:
        return timedelta(minutes=self.grace_minutes)

    @property
    def exemption(self) -> timedelta:
        return timedelta(minutes=max(self.exempt_minutes, self.grace_minutes))

    @property
    def period(self) -> int:
        """Returns the alarms' period in seconds: 300 if the window is a multiple of five minutes, else 60."""
        return 300 if self.minutes % 5 == 0 else 60

    @property
    def periods(self) -> int:
        return self.minutes * 60 // self.period


def window_start(watch: Watch, now: datetime) -> datetime:
    """Returns the start of the minutes that a check covers: the window, and up to five minutes for late metrics."""
    return now - timedelta(seconds=now.timestamp() % _FOR_LATE_METRICS) - watch.window


def trains_since(attempt: Attempt) -> datetime | None:
    """Returns the time since which the attempt's program has run without interruption; None if it is unknown."""
    # If it is unknown when the program restarted, SageMaker's last change to the training job counts.
    observation = attempt.observation
    return (observation.training_since or observation.modified_at) if observation else None


def is_training(attempt: Attempt) -> bool:
    """Returns whether the attempt's program is running. Its metrics begin when it starts (aws-facts 3.2)."""
    observation = attempt.observation
    return observation is not None and not observation.is_terminal and observation.secondary_status == "Training"


def watched_since(attempt: Attempt, watch: Watch, *, is_exempt: bool) -> datetime | None:
    """Returns the end of the attempt's grace period, or of its exemption; None if it is unknown."""
    since = trains_since(attempt)  # after an interruption, the program and the grace period both start again
    return since + (watch.exemption if is_exempt else watch.grace) if since else None


def warning_of_run(attempt: Attempt, warned_at: datetime | None) -> datetime | None:
    """Returns the time of the last warning; None if the program has started again since."""
    since = trains_since(attempt)
    return warned_at if warned_at and since and warned_at >= since else None


def is_in_grace_period(attempt: Attempt, watch: Watch, now: datetime, *, is_exempt: bool) -> bool:
    """Returns whether the checked window overlaps the grace period, in which programs load data and compile."""
    since = watched_since(attempt, watch, is_exempt=is_exempt)
    return since is None or window_start(watch, now) < since
