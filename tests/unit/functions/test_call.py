"""A call of the REST API, as API Gateway passes it."""

import os
import subprocess
import sys
from base64 import b64encode
from typing import Any

from openapi.document import routes

from api.http.call import Call
from api.routes import ROUTES


def call_with(**event: Any) -> Call:
    return Call(event, None)  # type: ignore[arg-type] # nothing here asks for Lambda's context


def test_a_body_may_come_in_base64() -> None:
    assert call_with(body=b64encode('{"ä": 1}'.encode()).decode(), isBase64Encoded=True).body == '{"ä": 1}'


def test_a_call_without_body_and_query_has_empty_ones() -> None:
    call = call_with(body=None, queryStringParameters=None, multiValueQueryStringParameters=None)
    assert (call.body, call.query, call.whole_query) == ("", {}, {})


def test_each_route_has_a_function_of_its_own() -> None:
    functions = [function for _, _, function in routes()]
    assert len(functions) == len(set(functions))


_FOR_DOCUMENTS = {
    *(f"scheduler.core.{kind}.document" for kind in ("calendar", "callers", "guardrails", "warm_pools", "spending")),
    *("scheduler.core.calendar.calendar", "scheduler.core.spending.prices.document"),
}
_FOR_OTHERS = {
    *(f"scheduler.wiring.{module}" for module in ("queue", "cycle", "change_log", "config")),
    "scheduler.core.reconciliation.rate_limit",
    *(
        "scheduler.core.callers.permission",
        "scheduler.core.capacity.capacity_learning",
        "scheduler.core.retries.failure_classes",
    ),
}


def test_a_submission_loads_nothing_for_other_calls_or_for_missing_documents() -> None:
    program = """
import sys
from api import handler, routes
routes.function_of(("POST", "/add-job"))
print(*sys.modules)
"""
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=path)  # noqa: S603  # our own
    loaded = set(done.stdout.split())
    assert "api.jobs.submissions" in loaded
    others = {function.partition(":")[0] for function in ROUTES.values()} - {"jobs.submissions"}
    assert not loaded & {*_FOR_DOCUMENTS, *_FOR_OTHERS, *(f"api.{module}" for module in others)}
