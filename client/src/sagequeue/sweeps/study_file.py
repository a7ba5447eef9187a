"""Reads the file for `sagequeue sweep`: a search space, an objective, and the request of each trial's job."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sagequeue.contract.jobs import JobOptions, TrainingRequest
from sagequeue.documents.document import Member, read_document
from sagequeue.documents.placeholders import INDEX, filled, placeholders_in
from sagequeue.sweeps.objective import Objective
from sagequeue.sweeps.search_space import Parameter, read_parameter

if TYPE_CHECKING:  # Optuna is optional
    from optuna.trial import Trial

_MOST_TRIALS = 10_000
_REQUIRED = ("name", "storage", "direction", "objective", "trials", "parameters", "request")
_KNOWN = (*_REQUIRED, "parallel", "prune", "options")
_NAME = r"(?=.{1,57}\Z)[a-zA-Z0-9](-*[a-zA-Z0-9])*"  # with the number of a trial, it is the name of a job
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")


@dataclass(frozen=True, slots=True)
class StudyFile:
    """The content of a valid file."""

    name: str
    storage: str
    direction: str
    objective: str
    trials: int
    parallel: int | None
    prune: bool
    options: JobOptions | None
    parameters: tuple[Parameter, ...]
    request: TrainingRequest

    def request_of(self, trial: "Trial") -> TrainingRequest:
        """Suggests the trial's parameters, and returns the request of its job."""
        values = {parameter.name: parameter.suggest(trial) for parameter in self.parameters}
        return filled(self.request, {**values, INDEX: trial.number})


def read_study(path: str) -> StudyFile:
    """Reads a file. Raises InvalidSubmission with all problems in the file."""
    return read_document(path, _study)


def _study(root: Member) -> StudyFile:
    given = root.members(_KNOWN, _REQUIRED)
    parameters = _parameters(given["parameters"])
    request = given["request"].object_or_file()
    if parameters and request:
        _check_placeholders(given["request"], request, parameters)
    return StudyFile(
        name=given["name"].text(_NAME, "Use letters, digits and hyphens, at most 57."),
        storage=given["storage"].text(r"\w[\w+]*://.*", "Write a URL, such as sqlite:///study.db."),
        direction=given["direction"].one_of(("minimize", "maximize")),
        objective=_objective(given["objective"]),
        trials=given["trials"].whole(1, _MOST_TRIALS),
        parallel=given["parallel"].whole(1, _MOST_TRIALS) or None,
        prune=given["prune"].flag(),
        options=cast(JobOptions, {name: member.value for name, member in given["options"].named().items()}) or None,
        parameters=tuple(parameter for parameter in parameters.values() if parameter),
        request=request,
    )


def _parameters(member: Member) -> dict[str, Parameter | None]:
    """Returns the parameters by name; None for a parameter with a problem."""
    named = member.named()
    if not named:
        member.problem("is empty. Add a parameter, such as lr: {low: 0.001, high: 0.1}.")
    for name, part in named.items():
        if not _PARAMETER.fullmatch(name) or name == INDEX:
            part.problem("is not a valid parameter name. Use letters, digits and _, but not index.")
    return {name: read_parameter(name, part) for name, part in named.items()}


def _objective(member: Member) -> str:
    text = member.text()
    try:
        problem = Objective(re.compile(text)).problem if text else None
    except re.error as error:
        problem = f"is not a regular expression: {error}. Write it in single quotes"
    if problem:
        member.problem(f"{problem}.")
    return text


def _check_placeholders(member: Member, request: Mapping[str, Any], parameters: Mapping[str, Parameter | None]) -> None:
    used = set(placeholders_in(request))
    for name in sorted(used - {*parameters, INDEX}):
        member.problem(f"has the placeholder ${{{name}}}. Add {name} to the parameters, or write $${{{name}}}.")
    for name in [name for name in parameters if name not in used]:
        member.problem(f"does not use {name}. Put ${{{name}}} into a hyperparameter.")
    config = request.get("CheckpointConfig")
    uri = config.get("S3Uri") if isinstance(config, dict) else None  # the queue refuses other kinds of values
    if uri and INDEX not in placeholders_in(uri):
        member.problem("has the same checkpoints for each trial. Add /${index} to CheckpointConfig.S3Uri.")
