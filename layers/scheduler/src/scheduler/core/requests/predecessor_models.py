"""Fills predecessors' models into a request: `${jobs.prep.model}` is the S3 URI of the model from the job prep.

The stored request keeps its placeholders. The write that releases the job also stores the URIs in its record. So each
attempt gets the same request, and a cycle stores no second request.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scheduler.core.jobs.dependencies.predecessor import Predecessor
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.start_conditions import JobDependencies
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.requests.texts import Path, field_of, texts_in, with_filled_placeholders
from scheduler.errors.refusals import BadRequest, bad_field, shortened

_PLACEHOLDER = re.compile(r"\$\{jobs\.([^}]*)\}")
_MODEL = re.compile(r"([a-zA-Z0-9-]{1,63})\.model")
_PLACES = re.compile(
    r"(TrainingJobDefinitions?(\[\d+\])?\.)?"
    r"((Static)?HyperParameters\.|Environment\.|InputDataConfig\[\d+\]\.DataSource\.S3DataSource\.S3Uri$"
    r"|(AlgorithmSpecification|AppSpecification)\.Container(Arguments|Entrypoint)\["
    r"|ProcessingInputs\[\d+\]\.S3Input\.S3Uri$)"
)
#: Stands for a model that does not exist yet when SageMaker's rules for a request are checked.
_EXAMPLE = "s3://bucket/model.tar.gz"


def models_used(requests: Sequence[Mapping[str, Any]], dependencies: JobDependencies) -> tuple[str, ...]:
    """Returns the names of the jobs whose models the requests use.

    Raises BadRequest if the job does not wait for one of them. An unknown member, or a placeholder in the wrong place,
    is also refused.
    """
    texts = (found for request in requests for found in texts_in(request))
    used = {name: None for path, text in texts for name in _names_in(path, text, dependencies)}
    return tuple(used)


def refuse_unusable_models(
    dependencies: JobDependencies, predecessors: Mapping[str, Predecessor], may_control: Callable[[str], bool]
) -> None:
    """Raises BadRequest if a used model cannot exist, or belongs to an owner whose results the caller cannot read."""
    for name in dependencies.models:
        other = predecessors.get(name)
        if not isinstance(other, Job):
            raise _unusable(name, "an array, which has many models", "Name one of its jobs.")
        if other.spec.kind is not WorkKind.TRAINING:
            raise _unusable(name, f"a {other.spec.kind} job, and only training jobs have a model", "Omit it.")
        if not may_control(other.owner):
            remedy = "Ask its owner for the URI of the model, and write it into the request."
            raise _unusable(name, "a job of another owner, whose results you cannot read", remedy)


def refuse_other_models(path: Path, text: str, dependencies: JobDependencies) -> None:
    """Raises BadRequest if a text in an array's child uses a model that the first child does not use."""
    for name in _names_in(path, text, dependencies):
        if name not in dependencies.models:
            problem = f"uses the model of {name}, but the array's first job does not"
            raise bad_field(field_of(path), problem, "Name the models in the request, not in parameters.")


def with_example_models(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the request with an example in place of each model, for checks of its form."""
    return with_filled_placeholders(request, lambda _, text: as_example(text))


def as_example(text: str) -> str:
    return _PLACEHOLDER.sub(_EXAMPLE, text)


def with_models(request: Mapping[str, Any], job: Job) -> dict[str, Any]:
    """Returns the job's request with its predecessors' models, as far as they are known."""
    if not job.status.models:
        return {**request}
    uris = {f"{name}.model": uri for name, uri in job.status.models}

    def filled(_: Path, text: str) -> str:
        return _PLACEHOLDER.sub(lambda found: uris.get(found[1], found[0]), text)

    return with_filled_placeholders(request, filled)


def require_models(request: Mapping[str, Any]) -> None:
    """Raises ValueError if the request still has a placeholder for a model."""
    for path, text in texts_in(request):
        if _PLACEHOLDER.search(text):
            raise ValueError(f"{field_of(path)} lacks the model of a predecessor")


def _names_in(path: Path, text: str, dependencies: JobDependencies) -> list[str]:
    names = []
    for found in _PLACEHOLDER.finditer(text):
        field, shown, model = field_of(path), f"${{jobs.{shortened(found[1])}}}", _MODEL.fullmatch(found[1])
        if model is None:
            raise bad_field(field, f"has the placeholder {shown}", "Write ${jobs.NAME.model}, with the name of a job.")
        if _PLACES.match(field) is None:
            remedy = "Use it in inputs, hyperparameters, environment and arguments."
            raise bad_field(field, f"cannot have the placeholder {shown}", remedy)
        if model[1] not in dependencies.after_ok:
            problem = f"has the placeholder {shown}, but the job does not wait for {model[1]}"
            raise bad_field(field, problem, f"Add {model[1]} to after_ok.")
        names.append(model[1])
    return names


def _unusable(name: str, what: str, remedy: str) -> BadRequest:
    return bad_field("options.after_ok", f"names {name}, whose model the request uses, but it is {what}", remedy)
