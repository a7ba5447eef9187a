"""Words the daily digest for an owner."""

from collections.abc import Iterator, Sequence

from scheduler.core.history.digests.owner_day import Happening, OwnerDay
from scheduler.core.history.digests.owner_now import OwnerNow
from scheduler.core.history.digests.period import DigestPeriod
from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.jobs.job_state import JobState

#: The number of jobs that a line names.
MOST_NAMED = 5
_FIX = "`sagequeue show JOB` shows why a job failed or is parked, and what to do."
_LOOK = "`sagequeue show JOB` shows more about a finding."
_NOTHING = "No action is needed; `sagequeue ls` shows the queue, and `sagequeue show JOB` a job."


def digest_for(owner: str, period: DigestPeriod, day: OwnerDay, used: str, now: OwnerNow) -> Notice | None:
    """Returns the owner's digest; None if the owner has no job to report on.

    `used` describes the use by attempts that ended in the period; it is empty if none ended.
    """
    happened = [*_lines_of_day(day), *([f"Used by ended attempts: {used}."] if used else [])]
    current = [*_lines_of_queue(now)]
    if not happened and not current:
        return None
    heading = f"Your jobs in the 24 hours before {period.ends:%Y-%m-%d %H:%M} UTC:"
    limits = [f"Spending: {limit}." for limit in now.limits]
    lines = [heading, *(happened or ["Nothing ended."]), *current, *limits]
    # The same owner and day have the same ID, also if the digest is sent again with newer facts.
    identity = f"{period.name}/{owner}/{NoticeKind.DIGEST}"
    return Notice(NoticeKind.DIGEST, "", owner, "", "\n".join(lines), _remedy_for(day, now), id=identity)


def _lines_of_day(day: OwnerDay) -> Iterator[str]:
    for state in (JobState.COMPLETED, JobState.FAILED, JobState.STOPPED):
        if ended := [_with(job, reason) for job, (end, reason) in day.ends.items() if end is state]:
            yield _line(state.value, len(ended), ended)
    if day.happened:
        counts = [f"{happening.value} {day.happened[happening]}" for happening in Happening if day.happened[happening]]
        yield f"Attempts: {', '.join(counts)}."
    if day.findings:
        found = [_with(job, finding) for job, finding in day.findings]
        yield _line("findings", len(found), found)


def _lines_of_queue(now: OwnerNow) -> Iterator[str]:
    if now.live:
        yield _line("running now", len(now.live), [_with(job, state) for job, state in now.live])
    if now.waiting:
        yield _line("waiting now", now.waiting, [_with(job, reason) for job, reason in now.waits])
    if now.parked:
        yield _line("parked", now.parked, [_with(job, reason) for job, reason in now.parks])
    if now.held:
        yield _line("on hold", now.held, [])


def _remedy_for(day: OwnerDay, now: OwnerNow) -> str:
    if now.parked or any(end is JobState.FAILED for end, _ in day.ends.values()):
        return _FIX
    return _LOOK if day.findings else _NOTHING


def _line(subject: str, count: int, entries: Sequence[str]) -> str:
    """Returns a line such as `Failed: 7 (a: user; b: data; 5 more).`"""
    named = [*entries[:MOST_NAMED]]
    if named and count > len(named):
        named.append(f"{count - len(named)} more")
    detail = f" ({'; '.join(named)})" if named else ""
    return f"{subject.capitalize()}: {count}{detail}."


def _with(job: str, text: str) -> str:
    return f"{job}: {text}" if text else job
