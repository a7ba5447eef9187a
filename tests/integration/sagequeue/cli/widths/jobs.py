"""Commands about jobs: the API's answers, and the rows of --json."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from integration.sagequeue.cli.widths.cases import REASON, Case, Row, ago, lines, number
from integration.sagequeue.fakes.queue import EXPECTED
from unit.sagequeue.builders.costs import a_cost, a_job_cost, a_range
from unit.sagequeue.builders.jobs import a_job, an_attempt


def jobs(count: int) -> list[Any]:
    return [
        a_job(
            name=f"job-{index:04d}",
            position=number(index),
            priority=number(index) * 10,
            earlier_attempts=number(index),
            submitted_at=ago(index),
            instances={"ml.p4d.24xlarge": number(index)},
            message=REASON,
        )
        for index in range(count)
    ]


def job_rows(listed: list[Any], *columns: str) -> Iterator[Row]:
    for job in listed:
        numbers = {
            "#": str(job["position"]),
            "prio": str(job["priority"]),
            "age": f"{(datetime.now(UTC) - datetime.fromisoformat(job['submitted_at'])).days}d 5h".removeprefix("0d "),
            "attempt": str(job["earlier_attempts"]),
            "instances": str(job["instances"]["ml.p4d.24xlarge"]),
        }
        yield job["name"], {column: numbers[column] for column in columns or numbers}


def queue_answers(count: int) -> list[Any]:
    counts = {"ml.g5.xlarge": 4321}
    limits = {"quota": counts, "lend": counts, "borrow_at_most": counts, "ceiling": counts, "settings": {}}
    team = {
        "running": {"ml.g5.xlarge": 9999},
        "weight": 1,
        **limits,
        "used_weighted_seconds": 3_600_000.0,
    }
    teams = {f"team-{index:04d}": {**team, "queued": number(index)} for index in range(count)}
    whole = {"intake_open": True, "by_state": {"pending": number(count)}, "budget": lines(count), "teams": teams}
    return [{**whole, "queued": 1, "live": 1, "head": jobs(min(count, 10)), "shortages": []}]


def queue_rows(answer: Any) -> Iterator[Row]:
    yield from job_rows(answer["head"], "#", "prio")
    for kind, line in answer["budget"].items():
        yield kind, {column: str(line[column]) for column in ("held", "free", "limit")}
    for name, team in answer["teams"].items():
        yield name, {"queued": str(team["queued"]), "running": str(team["running"]["ml.g5.xlarge"])}
    yield "jobs", {"": str(answer["by_state"]["pending"])}


def a_detailed_job(count: int) -> Any:
    attempts = [
        {**an_attempt(index % 9, "failed", name=f"job-sq-{index:04d}"), "cost": a_cost(number(index) + 0.25)}
        for index in range(count)
    ]
    return {**a_job(priority=number(count), message=REASON), "attempts": attempts, "cost": a_job_cost(), "actions": []}


def attempt_rows(answer: Any) -> Iterator[Row]:
    yield "priority", {"": str(answer["priority"])}
    for attempt in answer["attempts"]:
        yield attempt["name"], {"cost": f"${attempt['cost']['dollars']:.2f}"}


def explanation(count: int) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "is_reserved_for": False,
        "is_long_waiting": False,
        "is_below_quota": False,
        "priority": number(count),
        "owner_weighted_seconds": 3600.0 * number(count),
    }
    parts |= {"expected_run_time": 7200, "submitted_at": ago(3)}
    reason = {"code": "waits_for_budget", "message": REASON}
    whole = {"name": "resnet", "state": "pending", "position": number(count), "reason": reason, "starts": EXPECTED}
    ahead = [f"job-{i:04d}" for i in range(min(count, 50))]
    return {
        **whole,
        "waits_for": ahead,
        "priority": parts,
        "near_limits": [],
        "ranking": [],
        "pools": [],
        "deadline": None,
    }


CASES = {
    "ls": Case(
        ("ls",),
        lambda count: [{"jobs": jobs(count), "next": None, "budget": {}}],
        lambda answer: job_rows(answer["jobs"]),
    ),
    "queue": Case(("queue",), queue_answers, queue_rows),
    "show": Case(("show", "resnet"), lambda count: [a_detailed_job(count)], attempt_rows),
    "why": Case(
        ("why", "resnet"),
        lambda count: [explanation(count)],
        lambda answer: iter([("position", {"": str(answer["position"])})]),
    ),
    "whatif": Case(
        ("whatif", "--cli-input-json", "{}"),
        lambda count: [
            {
                "starts_now": False,
                "behind": number(count),
                "preempts": [],
                "reason": {"code": "x", "message": REASON},
                "starts": EXPECTED,
                "deadline": None,
                "cost_range": a_range(),
            }
        ],
        lambda answer: iter([("behind", {"": str(answer["behind"])})]),
    ),
}
