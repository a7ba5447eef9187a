"""Lists by filter, and the summary of the queue."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from integration.functions.conftest import ADA
from scheduler.adapters.dynamodb.records.items import capacity_item
from scheduler.core.capacity.capacity_memory import CapacityMemory, Shortage
from scheduler.core.capacity.locations import Location
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
BOB = "arn:aws:sts::000000000000:assumed-role/Scientist/bob"


@pytest.fixture
def several(call: Call, schedule: Callable[[], None]) -> None:
    """One of each: running, pending of two owners and priorities, held, stopped."""
    call("POST", "/add-job", request("running", 9, instances=2))
    schedule()
    call("POST", "/add-job", request("low"))
    call("POST", "/add-job", request("high", 3), caller=BOB)
    call("POST", "/jobs", {"request": request("kept"), "options": {"hold": True}})
    call("POST", "/add-job", request("ended"))
    call("POST", "/jobs/ended/cancel")


def names(listing: dict[str, Any]) -> list[str]:
    return [job["name"] for job in listing["jobs"]]


#: Names of the jobs that fit each filter.
FITTING: Sequence[tuple[dict[str, str], list[str]]] = (
    ({"state": "pending"}, ["high", "low"]),
    ({"state": "running"}, ["running"]),
    ({"state": "held"}, ["kept"]),
    ({"state": "running,pending,held"}, ["running", "high", "low", "kept"]),
    ({"state": "stopped"}, ["ended"]),
    ({}, ["running", "high", "low", "kept", "ended"]),
    ({"state": "stopped,pending"}, ["high", "low", "ended"]),
    ({"owner": BOB}, ["high"]),
    ({"owner": ADA, "state": "pending"}, ["low"]),
    ({"owner": "bob"}, ["high"]),
    ({"owner": "role/Scientist", "state": "pending"}, ["high", "low"]),
    ({"owner": "ob"}, []),
    ({"name": "l"}, ["low"]),
    ({"instance_type": "ml.m5.large", "name": "h"}, ["high"]),
    ({"instance_type": "ml.p5.48xlarge"}, []),
)


def test_a_list_has_what_fits_the_filter(call: Call, several: None) -> None:
    """Checks all filters on the same jobs, which take longer to make than to list."""
    found = [names(call("GET", "/jobs", None, **query)[1]) for query, _ in FITTING]
    assert found == [expected for _, expected in FITTING]


def test_a_list_of_what_is_unfinished_comes_in_pages_by_priority(call: Call, several: None) -> None:
    seen, token = [], None
    while True:
        query = {"state": "pending,held,running", "limit": "1"} | ({"next": token} if token else {})
        _, page = call("GET", "/jobs", None, **query)
        seen += names(page)
        token = page["next"]
        if token is None:
            break
    assert seen == ["running", "high", "low", "kept"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"state": "asleep"}, "state"),
        ({"mine": "yes"}, "mine"),
        ({"state": ""}, "state"),
        ({"team": "x"}, "team"),
        ({"nme": "x"}, "nme"),
    ],
)
def test_a_bad_filter_is_refused_with_its_name(call: Call, query: dict[str, str], field: str) -> None:
    status, answer = call("GET", "/jobs", None, **query)
    assert (status, answer["error"], answer["field"]) == (400, "invalid_request", field)


def test_a_token_of_one_list_is_none_of_another(call: Call, several: None) -> None:
    token = call("GET", "/jobs", None, limit="1", state="pending")[1]["next"]
    assert call("GET", "/jobs", None, state="stopped", next=token)[1]["error"] == "unknown_token"


def test_the_queue_at_a_glance(call: Call, several: None) -> None:
    status, seen = call("GET", "/queue")
    assert (status, seen["intake_open"], seen["queued"], seen["live"]) == (200, True, 2, 1)
    assert seen["by_state"] == {"held": 1, "pending": 2, "running": 1}
    assert seen["budget"]["ml.m5.large"] == {"limit": 2, "held": 2, "free": 0}
    assert [(job["name"], job["position"]) for job in seen["head"]] == [("high", 1), ("low", 2)]
    assert seen["teams"] == {}
    assert seen["shortages"] == []


def test_the_summary_has_the_shortages_of_the_last_day(call: Call) -> None:
    failed_at = datetime.now(UTC).replace(microsecond=0)
    next_try_at = failed_at + timedelta(minutes=2)
    shortage = Shortage(Location("ml.p5.48xlarge", spot=True), 2, failed_at, next_try_at)
    old = Shortage(Location("ml.g5.xlarge"), 1, failed_at - timedelta(days=2), next_try_at - timedelta(days=2))
    boto3.client("dynamodb").put_item(
        TableName="queue", Item=capacity_item(CapacityMemory((shortage, old)), changed_by="schedule")
    )
    assert call("GET", "/queue")[1]["shortages"] == [
        {
            "instance_type": "ml.p5.48xlarge",
            "spot": True,
            "subnet": None,
            "failures": 2,
            "failed_at": f"{failed_at:%Y-%m-%dT%H:%M:%SZ}",
            "next_try_at": f"{next_try_at:%Y-%m-%dT%H:%M:%SZ}",
        }
    ]


def test_a_list_of_ones_own_jobs_has_those_of_all_sessions_of_the_role(call: Call, several: None) -> None:
    lee = "arn:aws:iam::000000000000:root"
    call("POST", "/add-job", request("roots"), caller=lee)
    assert names(call("GET", "/jobs", None, mine="true", caller=lee)[1]) == ["roots"]
    assert names(call("GET", "/jobs", None, mine="true", state="pending")[1]) == ["high", "low"]
