"""Tables for a list of jobs and for one job."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.jobs import QUEUED, WITHOUT_POSITION, Attempt, Choice, Job, Listing, Options, Tuning
from sagequeue.jobs.description import instances, instances_text
from sagequeue.tables.formats import (
    attempt_cost_text,
    brief,
    cost_text,
    facts_of,
    local_time,
    range_text,
    rough,
    short,
    since,
    table_of,
)

#: The environment variable that sagemaker-ssh-helper adds to the requests of its jobs.
_SSH_HELPER = "SSH_SSM_ROLE"
_MORE = "More jobs exist: raise --limit (at most 200), or use `ls` with a filter or with --next."
_COLOURS = {"running": "green", "completed": "green", "failed": "red", "stopped": "yellow"}


def queue_view(page: Listing, now: datetime, *, is_filtered: bool = False) -> RenderableType:
    """Returns the use of the budget, then the jobs in list order."""
    use = (f"{line['held']} of {line['limit']} {kind}" for kind, line in sorted(page["budget"].items()))
    table = table_of("#", "job", "state", "prio", "age", "attempt", "owner", "instances", "why")
    for job in page["jobs"]:
        table.add_row(*_row(job, now))
    more = [Text(_MORE, style="dim")] if page["next"] else []
    none = Text("No job matches." if is_filtered else "The queue has no jobs.")
    return Group(Text(f"in use: {', '.join(use)}", style="dim"), table if page["jobs"] else none, *more)


def owner_name(arn: str) -> str:
    """Returns the short name of an owner: the role's session, the user, or `root`. --owner accepts this name."""
    return arn.rpartition("/" if "/" in arn else ":")[2]


def job_view(job: Job, now: datetime) -> RenderableType:
    """Returns one job with its attempts and the actions on it."""
    is_priced = "cost" in job
    attempts = table_of("attempt", "outcome", "started", "ran", *["cost"] * is_priced, "why")
    for attempt in job["attempts"]:
        attempts.add_row(*_attempt_row(attempt, now, is_priced=is_priced))
    actions = table_of("action", "at", "by", "why")
    for action in job.get("actions", []):
        actions.add_row(
            action["kind"].replace("_", " "), local_time(action["at"]), Text(action["by"]), Text(action["message"])
        )
    tables = [part for table in (attempts, actions) if table.rows for part in (Text(), table)]
    return Group(facts_of(_facts(job, now)), *tables)


def _row(job: Job, now: datetime) -> Iterable[str | Text]:
    has_place = job["state"] in QUEUED and job["reason"]["code"] not in WITHOUT_POSITION
    is_far_behind = has_place and job["position"] is None  # beyond the positions that a list counts
    return (
        "…" if is_far_behind else str(job["position"] or ""),
        Text(job["name"], style="bold"),
        _state(job),
        str(job["priority"]),
        since(job["submitted_at"], now),
        str(job["earlier_attempts"] + len(job["attempts"]) or ""),
        Text(owner_name(job["owner"])),
        instances(job),
        Text(brief(job["reason"]["message"])),
    )


def _facts(job: Job, now: datetime) -> Iterable[tuple[str, Text]]:
    yield "job", Text(job["name"], style="bold")
    yield "state", _state(job)
    if not job.get("is_new", True):
        yield "submission", Text("repeated: the queue already had this job", "yellow")
    if job["reason"]["message"]:
        yield "why", Text(job["reason"]["message"])
    if job["position"]:
        yield "position", Text(str(job["position"]))
    yield "priority", Text(str(job["priority"]))
    yield "instances", Text(instances(job))
    if widths := job["options"]["instances"]:
        yield "elastic", Text(f"from {widths['min']} to {widths['max']} instances, in steps of {widths['step']}")
    if job["options"].get("order") == "best":
        yield "order", Text("best first, by expected cost")
    for number, choice in enumerate(job["choices"]):
        is_current = number == job["choice"]
        yield f"choice {number}", Text(_choice(choice) + is_current * " (current)", "bold" if is_current else "")
    yield (
        "submitted",
        Text(f"{local_time(job['submitted_at'])}, {since(job['submitted_at'], now)} ago, by {job['owner']}"),
    )
    if job["team"]:
        yield "team", Text(job["team"] + ", as chosen" * (job["options"].get("team") == job["team"]))
    if job["options"]["interactive"]:
        yield "interactive", Text("yes: people work in its container")
    if job["options"]["never_preempt"]:
        yield "preemption", Text("never: once started, it runs to its end")
    if tuning := job.get("tuning"):
        yield "trials", Text(_trials(tuning, job["options"].get("min_parallel")))
    if (retries := job["options"].get("retries")) is not None:
        yield "retries", Text(f"at most {retries} after failures")
    if moments := job["options"].get("notify"):
        yield "notices", Text(f"also at {', '.join(moments)}")
    yield from _times(job["options"])
    yield from _dependencies(job["options"])
    for callback in job.get("callbacks", []):
        yield "callback", Text(f"{callback['kind'].replace('_', ' ')}, since {local_time(callback['added_at'])}")
    for warning in job["warnings"]:
        yield "warning", Text(f"{warning['rule']}: {warning['message']}. {warning['remedy']}")
    if "cost" in job and job["cost"]["dollars"]:
        yield "cost", Text(cost_text(job["cost"]))
    if "cost_range" in job:
        yield "cost", Text(range_text(job["cost_range"]))
    yield "checkpoints", Text("yes" if job["has_checkpoints"] else "no: a preemption loses the work done so far")
    if saves := saves_text(job, now):
        yield "saves", Text(saves)
    if command := connect_command(job):
        yield "connect", Text(command)


def _trials(tuning: Tuning, least: int | None) -> str:
    most = f" of {tuning['most_trials']}" if tuning["most_trials"] else ""
    at_a_time = f"{tuning['parallel']} at a time{f' (at least {least})' if least else ''}"
    after = "its trials continue by warm start" if tuning["continues"] else "it starts from nothing"
    return f"{tuning['ended_trials']}{most} ended, {at_a_time}; after a preemption, {after}"


def _times(options: Options) -> Iterator[tuple[str, Text]]:
    if not_before := options["not_before"]:
        yield "not before", Text(local_time(not_before))
    if expires := options["expires"]:
        yield "expires", Text(f"{local_time(expires)}, unless it has started")
    if deadline := options["deadline"]:
        yield "deadline", Text(f"to {options['deadline_for']} by {local_time(deadline)}")


def connect_command(job: Job) -> str:
    """Returns the command that opens a shell in the live attempt's first container; empty if the job allows none."""
    attempt, request = job["attempts"][-1] if job["attempts"] else None, job.get("request", {})
    if attempt is None or attempt["ended_at"] or not attempt["training_started_at"]:
        return ""
    if (request.get("RemoteDebugConfig") or {}).get("EnableRemoteDebug"):
        return f"aws ssm start-session --target sagemaker-training-job:{attempt['name']}_algo-1"
    if _SSH_HELPER in (request.get("Environment") or {}):
        return f"sm-ssh connect {attempt['name']}.{job['kind']}.sagemaker"
    return ""


def _dependencies(options: Options) -> Iterator[tuple[str, Text]]:
    if names := options["after_ok"]:
        yield "after", Text(f"{', '.join(names)} completed")
    if names := options["after_any"]:
        yield "after", Text(f"{', '.join(names)} ended")
    if names := options["after_not_ok"]:
        yield "after", Text(f"{', '.join(names)} failed or stopped")


def saves_text(job: Job, now: datetime) -> str:
    """Returns the saves that the live attempt's program has reported; empty if no live attempt writes checkpoints."""
    attempt = job["attempts"][-1] if job["attempts"] else None
    if attempt is None or attempt["ended_at"] or not job["has_checkpoints"]:
        return ""
    notice = "the program reads stop notices" if attempt["listens"] else _no_notice(attempt)
    saved = attempt["saved"]
    if saved is None:
        return f"none reported; {notice}"
    ago = rough(now - datetime.fromisoformat(saved["saved_at"]))
    return f"last saved {ago} ago (step {saved['step']:,}); {notice}"


def _no_notice(attempt: Attempt) -> str:
    if attempt["takes_notice"]:
        return "the program has not reported that it reads stop notices, see sagequeue doctor"
    return "this attempt gets no stop notice"


def _choice(choice: Choice) -> str:
    waits = f", after waiting {choice['wait_for_better']} s for a better choice" if choice["wait_for_better"] else ""
    return instances_text(choice["instances"]) + " spot" * choice["spot"] + waits


def _attempt_row(attempt: Attempt, now: datetime, *, is_priced: bool) -> Iterable[str | Text]:
    started, ended = attempt["training_started_at"], attempt["ended_at"]
    until = datetime.fromisoformat(ended) if ended else now
    failure = ": ".join(text for text in (attempt["action"], attempt["failure_reason"]) if text)
    why = f"for {attempt['beneficiary']}" if attempt["beneficiary"] else failure or _ran_on(attempt)
    return (
        attempt["name"],
        attempt["outcome"] or attempt["secondary_status"],
        local_time(started) if started else "",
        short(until - datetime.fromisoformat(started)) if started else "",
        *[attempt_cost_text(attempt.get("cost"))] * is_priced,
        Text(why or attempt["message"]),
    )


def _ran_on(attempt: Attempt) -> str:
    """Returns the selected instances, and the warm pools that the attempt used and left."""
    parts = (
        f"on {instances_text(attempt['selected'])}" if attempt["selected"] else "",
        f"on the warm pool of {attempt['on_pool']}" if attempt["on_pool"] else "",
        f"left a pool behind for {attempt['retained_seconds']} s" if attempt["retained_seconds"] else "",
    )
    return ", ".join(part for part in parts if part)


def _state(job: Job) -> Text:
    return Text(job["state"], style=_COLOURS.get(job["state"], ""))
