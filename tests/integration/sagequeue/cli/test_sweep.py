"""`sagequeue sweep`: the file of a study, and every problem of a wrong one. `make test-sweeps` runs studies."""

import json
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
import yaml

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient, Sweep
from sagequeue.errors import InvalidSubmission
from sagequeue.sweeps.study_file import read_study
from support.checkout import CHECKOUT
from unit.sagequeue.builders.jobs import a_request

EXAMPLE = CHECKOUT / "examples/study.yaml"


class Trial:
    """Suggests the lowest value, or the first."""

    number = 7

    def suggest_float(self, _: str, low: float, *__: float, **___: object) -> float:
        return low

    def suggest_int(self, _: str, low: int, *__: int, **___: object) -> int:
        return low

    def suggest_categorical(self, _: str, values: list[Any]) -> Any:
        return values[0]


@pytest.fixture
def study() -> dict[str, Any]:
    return {
        "name": "digits",
        "storage": "sqlite:///digits.db",
        "direction": "maximize",
        "objective": "accuracy=([0-9.]+)",
        "trials": 30,
        "parameters": {"lr": {"low": 0.001, "high": 0.1}, "layers": {"low": 1, "high": 4, "type": "int"}},
        "request": {**a_request(), "HyperParameters": {"lr": "${lr}", "layers": "${layers}", "text": "$${lr}"}},
    }


def written(folder: Path, study: object) -> str:
    file = folder / "study.yaml"
    file.write_text(study if isinstance(study, str) else yaml.safe_dump(study, sort_keys=False))
    return str(file)


def test_a_trial_has_a_request_with_its_parameters(study: dict[str, Any], tmp_path: Path) -> None:
    found = read_study(written(tmp_path, study))
    assert (found.name, found.trials, found.parallel, found.prune, found.options) == ("digits", 30, None, False, None)
    request = found.request_of(Trial())
    assert request["HyperParameters"] == {"lr": "0.001", "layers": "1", "text": "${lr}"}


def test_the_request_may_be_in_a_file_of_its_own(study: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text(yaml.safe_dump(study["request"]))
    found = read_study(written(tmp_path, {**study, "request": "request.json"}))
    assert found.request == study["request"]


@pytest.mark.parametrize("indent", [None, 1, "\t"])
def test_a_file_of_json_may_be_indented_with_tabs(
    study: dict[str, Any], indent: int | str | None, tmp_path: Path
) -> None:
    study["request"]["HyperParameters"]["text"] = "a\ttab, 1e-5 and 😀"
    (tmp_path / "request.json").write_text(json.dumps(study["request"], indent=indent))
    found = read_study(written(tmp_path, {**study, "request": "request.json"}))
    assert found.request == study["request"]


@pytest.mark.parametrize("text", ["a: [", '{"a":\n\tb}', "[" * 100_000])
def test_a_file_that_is_neither_json_nor_yaml_is_one_problem(study: dict[str, Any], text: str, tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text(text)
    with pytest.raises(InvalidSubmission, match=r"request.json, which is neither JSON nor YAML"):
        read_study(written(tmp_path, {**study, "request": "request.json"}))


def test_the_example_is_valid() -> None:
    found = read_study(str(EXAMPLE))
    assert [parameter.name for parameter in found.parameters] == ["rate", "momentum"]
    assert found.parameters[0].suggest(Trial()) == 0.001


WRONG = """\
name: my study
storage: digits.db
direction: up
trials: 0
paralel: 4
prune: maybe
objective: accuracy=[0-9.]+
parameters:
  lr: {low: 0.1, high: 0.01}
  layers: {low: 1, high: 2.5, type: int}
  kind: []
  index: [1, 2]
  rate: {low: 0, high: 1, log: true}
request: missing.json
"""


def test_logs_are_read_with_the_session_of_the_given_client(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")  # a default session has none
    client = QueueClient(session=boto3.Session(region_name="eu-west-1"))
    study: Any = SimpleNamespace(study_name="digits")
    sweep = Sweep(study, lambda _: a_request(), "loss=(.*)", trials=1, queue=client)
    assert sweep._logs.meta.region_name == "eu-west-1"


def test_each_problem_is_shown_with_its_line(queue: FakeQueue, tmp_path: Path) -> None:
    file = written(tmp_path, WRONG)
    done = run("sweep", file)
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert lines == [
        f"Error: {file} was refused",
        f'{file}:1: name is "my study". Use letters, digits and hyphens, at most 57.',
        f'{file}:2: storage is "digits.db". Write a URL, such as sqlite:///study.db.',
        f'{file}:3: direction is "up". Use minimize or maximize.',
        f"{file}:4: trials is 0. Write a whole number from 1 to 10,000.",
        f"{file}:5: paralel is not a known member. Did you mean parallel?",
        f'{file}:6: prune is "maybe". Use true or false.',
        f"{file}:7: objective has no group for the value, such as accuracy=([0-9.]+).",
        f"{file}:9: parameters.lr has low 0.1 above high 0.01. Swap them.",
        f"{file}:10: parameters.layers has the type int, but a number with a fraction. "
        "Write whole numbers, or use the type float.",
        f"{file}:11: parameters.kind is []. Write a list of texts, numbers, true or false.",
        f"{file}:12: parameters.index is not a valid parameter name. Use letters, digits and _, but not index.",
        f"{file}:13: parameters.rate has log: true. Use a low above 0, and no step.",
        f"{file}:14: request names {tmp_path}/missing.json, which cannot be read: No such file or directory. "
        "Check the path.",
        "Correct the file.",
    ]
    assert queue.calls == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": None}, "name is null"),
        ({"objective": "accuracy=("}, "objective is not a regular expression"),
        ({"parameters": {"lr": {"low": 1, "high": 2}}}, "request has the placeholder ${layers}. Add layers"),
        ({"request": {"HyperParameters": {"lr": "${lr}"}}}, "request does not use layers. Put ${layers}"),
        ({"parameters": {}}, "parameters is empty. Add a parameter"),
        ({"parameters": {"lr": 7}}, "parameters.lr is 7. Write a list of values"),
        ({"parameters": {"lr": {"low": "x", "high": 1}}}, 'parameters.lr.low is "x". Write a number.'),
        ({"parameters": {"lr": {"low": 1}}}, "parameters.lr.high is missing. Add it."),
        ({"request": [1]}, "request is [1]. Write an object, or the name of a file that contains it."),
        ({"options": 5}, "options is 5. Write an object"),
        ({"request": {"CheckpointConfig": "s3://bucket"}}, "request does not use layers. Put ${layers}"),
        ({"parameters": {"lr": {"low": 1, "high": inf, "type": "int"}}}, "parameters.lr.high is Infinity. Write a num"),
    ],
)
def test_a_problem_names_the_member_the_value_and_the_fix(
    study: dict[str, Any], change: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSubmission) as caught:
        read_study(written(tmp_path, study | change))
    assert problem in str(caught.value)


@pytest.mark.parametrize("member", ["name", "storage", "direction", "objective", "trials", "parameters", "request"])
def test_a_missing_member_is_one_problem(study: dict[str, Any], member: str, tmp_path: Path) -> None:
    del study[member]
    with pytest.raises(InvalidSubmission) as caught:
        read_study(written(tmp_path, study))
    assert caught.value.message.splitlines()[1:] == [f"{tmp_path}/study.yaml:1: {member} is missing. Add it."]


def test_trials_may_not_share_their_checkpoints(study: dict[str, Any], tmp_path: Path) -> None:
    study["request"]["CheckpointConfig"] = {"S3Uri": "s3://bucket/checkpoints"}
    with pytest.raises(InvalidSubmission, match="the same checkpoints for each trial"):
        read_study(written(tmp_path, study))
    study["request"]["CheckpointConfig"] = {"S3Uri": "s3://bucket/checkpoints/${index}"}
    request = read_study(written(tmp_path, study)).request_of(Trial())
    assert request["CheckpointConfig"] == {"S3Uri": "s3://bucket/checkpoints/7"}


@pytest.mark.parametrize("text", ["name: [", "- a\n- b", "name: a\nname: b", "&a [*a]", "<<: {name: a}", ""])
def test_a_file_that_is_no_study_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidSubmission):
        read_study(written(tmp_path, text))


def test_the_command_says_how_to_install_optuna(queue: FakeQueue, study: dict[str, Any], tmp_path: Path) -> None:
    done = run("sweep", written(tmp_path, study))  # this environment has no Optuna
    assert (done.exit_code, "pip install 'sagequeue[optuna]'" in done.stderr) == (1, True)
    assert run("sweep", str(tmp_path / "none.yaml")).exit_code == 1
