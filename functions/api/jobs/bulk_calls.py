"""POST /change-jobs makes one change to all jobs that match a filter or are listed, a limited number per call."""

from typing import Any

from api.call import DEFAULT_PAGE, MAX_PAGE, Call, json_body, members, required
from api.error_answers import refusal_of
from api.jobs import job_answers
from api.jobs.filters import FILTERS, filter_in_body
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.requests.options import MAX_PRIORITY
from scheduler.errors.refusals import bad_field, shown
from scheduler.queue.bulk_actions import JobChange, JobError, Progress, WantedChange
from scheduler.queue.job_status import JOB_NAME
from scheduler.wiring import queue

#: The most names in one list. Further names need further calls.
MAX_NAMES = 1000
_MEMBERS = {
    "change": str,
    "filter": dict,
    "names": list,
    "attempts": dict,
    "max_runtimes": dict,
    "priority": int,
    "save_first": bool,
    "limit": int,
    "next": str,
}
_ATTEMPTS = "Send the number of each job's latest attempt, or 0 if it has none."
_MAX_RUNTIMES = "For an approval, send the longest time limit that you have seen of each job, in seconds."


def change_jobs(call: Call) -> job_answers.ChangedJobs:
    body = members(json_body(call, of='{"change": "hold", "filter": {"team": "nlp"}}'), _MEMBERS)
    wanted, limit = _change_in(body, call.caller), body.get("limit", DEFAULT_PAGE)
    if not 1 <= limit <= MAX_PAGE:
        raise bad_field("limit", "is out of range", f"Use 1 to {MAX_PAGE}.")
    if ("names" in body) == ("filter" in body):
        raise bad_field("filter", "and names are both given or both missing", "Send a filter or a list of names.")
    if "names" in body:
        return _progress_view(queue.bulk_actions().on_named(_names_in(body), limit, wanted))
    job_filter = filter_in_body(body["filter"], call.caller)
    if job_filter == JobFilter():
        raise bad_field("filter", "is empty, so it matches all jobs", f"Filter by {', '.join(FILTERS)}.")
    return _progress_view(queue.bulk_actions().on_matching(job_filter, limit, body.get("next"), wanted))


def forecast_priority(call: Call) -> job_answers.PriorityForecast:
    body = members(json_body(call, of='{"names": ["resnet"], "priority": 5}'), {"names": list, "priority": int})
    required(body, "names")
    forecast = queue.explanations().forecast_priority(_names_in(body), priority_in(body), call.caller)
    return {"preempts": list(forecast.preempts), "starts_now": list(forecast.starts_now)}


def priority_in(body: dict[str, Any]) -> int:
    priority: int = required(body, "priority")
    if abs(priority) > MAX_PRIORITY:
        remedy = f"Use an integer from -{MAX_PRIORITY} to {MAX_PRIORITY}; higher runs first."
        raise bad_field("priority", f"is {priority}, out of range", remedy)
    return priority


def _change_in(body: dict[str, Any], caller: str) -> WantedChange:
    kind = required(body, "change")
    if kind not in set(JobChange):
        raise bad_field("change", f"is {shown(kind)}, which is not a kind of change", f"Use {', '.join(JobChange)}.")
    change = JobChange(kind)
    if change is not JobChange.PRIORITY and "priority" in body:
        raise bad_field("priority", f"does not belong to {change}", "Leave it out, or change the priority.")
    if "save_first" in body and change is not JobChange.CANCEL:
        raise bad_field("save_first", f"does not belong to {change}", "Leave it out, or cancel the jobs.")
    priority = priority_in(body) if change is JobChange.PRIORITY else 0
    attempts = _numbers_in(body, "attempts", _ATTEMPTS, is_wanted=change is JobChange.REQUEUE)
    max_runtimes = _numbers_in(body, "max_runtimes", _MAX_RUNTIMES, is_wanted=change is JobChange.APPROVE)
    return WantedChange(change, caller, priority, attempts, body.get("save_first", False), max_runtimes)


def _numbers_in(body: dict[str, Any], member: str, remedy: str, *, is_wanted: bool) -> dict[str, int]:
    """Returns the number for each named job, or none if the change wants no such numbers. Raises BadRequest."""
    numbers: dict[str, int] = body.get(member, {})
    expected = set(_names_in(body)) if is_wanted and "names" in body else set()
    if numbers.keys() != expected:
        raise bad_field(member, "does not fit the names", remedy)
    for name, number in numbers.items():
        if type(number) is not int:
            raise bad_field(f"{member}.{name}", "must be an integer", remedy)
    return numbers


def _names_in(body: dict[str, Any]) -> tuple[str, ...]:
    """Returns the names without duplicates. Raises BadRequest."""
    if "next" in body:
        raise bad_field("next", "continues a filter, but names are given", "Send the names that are left.")
    names = body["names"]
    if not 1 <= len(names) <= MAX_NAMES:
        raise bad_field("names", f"has {len(names)} names", f"Send 1 to {MAX_NAMES} names.")
    for index, name in enumerate(names):
        if not isinstance(name, str) or not JOB_NAME.fullmatch(name):
            raise bad_field(f"names[{index}]", f"is {shown(name)}, not a job's name", "List the jobs with GET /jobs.")
    return tuple(dict.fromkeys(names))


def _progress_view(progress: Progress) -> job_answers.ChangedJobs:
    return {
        "changed": list(progress.changed),
        "refused": [_refused_view(name, error) for name, error in progress.refused],
        "left": progress.left,
        "is_left_exact": progress.is_left_exact,
        "next": progress.next_token,
    }


def _refused_view(name: str, error: JobError) -> job_answers.RefusedChange:
    _, body = refusal_of(error)
    return {"name": name, "error": str(body["error"]), "message": str(body["message"])}
