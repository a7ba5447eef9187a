"""The walks of docs/contribute/walks.md through calls of the API name the files in which these really run."""

from collections.abc import Callable
from typing import Any

import pytest

from support.account.simulated_queue import request
from support.walks import visited_files, walks

_LAYER = "layers/scheduler/src/scheduler"
#: The walk names each file of these folders in which a submission runs, …
_ROOMS = ("functions/", f"{_LAYER}/admission/", f"{_LAYER}/queue/", f"{_LAYER}/core/requests/")
#: … except these, which the page names below the walk.
_LEFT_OUT = {
    "functions/api/answer_size.py",
    "functions/api/answers.py",
    f"{_LAYER}/queue/costs.py",
    f"{_LAYER}/admission/choice_check.py",
    f"{_LAYER}/admission/launch_check.py",
    f"{_LAYER}/core/requests/alternatives.py",
    f"{_LAYER}/core/requests/attempt_request.py",
    f"{_LAYER}/core/requests/instances.py",
    f"{_LAYER}/core/requests/judged_requests.py",
    f"{_LAYER}/core/requests/predecessor_models.py",
    f"{_LAYER}/core/requests/texts.py",
    *(f"{_LAYER}/core/requests/tuning/{name}.py" for name in ("continuation", "definitions", "reading", "refusals")),
    f"{_LAYER}/core/requests/unheeded.py",
    f"{_LAYER}/core/requests/service_rules/rule.py",
    f"{_LAYER}/core/requests/service_rules/table.py",
    f"{_LAYER}/core/requests/service_rules/input_breaches.py",
    f"{_LAYER}/core/requests/service_rules/job_breaches.py",
    f"{_LAYER}/core/requests/service_rules/resource_breaches.py",
}
_STORE = f"{_LAYER}/adapters/dynamodb/jobs/store.py"
_WITH_ALTERNATIVE = {
    "request": {name: value for name, value in request("second").items() if name != "Tags"},
    "options": {"alternatives": [{"request": {"ResourceConfig": {"InstanceType": "ml.g5.xlarge"}}}]},
    "client_token": "token",
}


@pytest.mark.parametrize(("path", "body"), [("/add-job", request("second")), ("/jobs", _WITH_ALTERNATIVE)])
def test_the_walk_of_a_submission(call: Callable[..., tuple[int, Any]], path: str, body: dict[str, Any]) -> None:
    assert call("POST", "/add-job", request("first"))[0] == 201  # builds the services
    with visited_files() as files:
        assert call("POST", path, body)[0] == 201
    assert _STORE in files
    in_rooms = {file for file in files if file.startswith(_ROOMS)}
    assert sorted((in_rooms - _LEFT_OUT) | {_STORE}) == sorted(walks()["One submission"])


def test_the_walk_of_an_action(call: Callable[..., tuple[int, Any]]) -> None:
    for name in ("first", "second"):
        assert call("POST", "/add-job", request(name))[0] == 201
    with visited_files() as files:
        assert call("POST", "/jobs/second/top")[0] == 202
    walk, changes = walks()["One action"], {_STORE, f"{_LAYER}/core/jobs/user_actions.py"}
    assert changes <= files
    in_rooms = {file for file in files if file.startswith(_ROOMS)}
    assert sorted((in_rooms - _LEFT_OUT) | changes) == sorted(walk)


def test_the_walk_of_an_explanation(call: Callable[..., tuple[int, Any]]) -> None:
    assert call("POST", "/add-job", request("job"))[0] == 201
    with visited_files() as files:
        assert call("GET", "/jobs/job/why")[0] == 200
    assert [file for file in walks()["One explanation"] if file not in files] == []
