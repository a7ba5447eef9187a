"""Defects in the notice before a stop."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.stop_notice import Save, StopNotice
from scheduler.core.requests.stop_notice.objects import save_in
from scheduler.core.requests.stop_notice.rule import has_time_to_save
from scheduler.cycle.attempts import stop_notices
from scheduler.cycle.attempts.stop_notices import StopNotices

_FOR_EVER = timedelta(days=365)


def stop_only_after_an_answer(patches: pytest.MonkeyPatch) -> None:
    def notice(asked_at: datetime, _deadline: datetime) -> StopNotice:
        return StopNotice(asked_at, asked_at + _FOR_EVER)

    patches.setattr(stop_notices, "StopNotice", notice)


def believe_any_answer(patches: pytest.MonkeyPatch) -> None:
    """Accepts an answer to an older notice as an answer to this notice."""

    def is_answered_by(_: StopNotice, save: Save | None) -> bool:
        return save is not None and save.answers is not None

    patches.setattr(StopNotice, "is_answered_by", is_answered_by)


def believe_saves_that_are_not_uploaded(patches: pytest.MonkeyPatch) -> None:
    def save_as_uploaded(acknowledgement: bytes, attempt_name: str, now: datetime) -> Save:
        return save_in(acknowledgement.replace(b'"uploaded": false', b'"uploaded": true'), attempt_name, now)

    patches.setattr(stop_notices, "save_in", save_as_uploaded)


def ask_again_in_each_cycle(patches: pytest.MonkeyPatch) -> None:
    """Forgets between cycles that the notice was given, and restarts the countdown each time."""
    holds_back = StopNotices.holds_back

    def forgetful(self: StopNotices, live_job: LiveJob) -> bool:
        status = live_job.job.status
        stop = replace(status.stop, asked_at=self.services.clock.now()) if status.stop else None
        job = replace(live_job.job, status=replace(status, stop=stop))
        return holds_back(self, LiveJob(job, replace(live_job.attempt, notice=None)))

    patches.setattr(StopNotices, "holds_back", forgetful)


def ask_programs_that_never_reported(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(stop_notices, "gets_notice", has_time_to_save)


def give_no_notice(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(stop_notices, "gets_notice", lambda _: False)
