"""What a user chooses for a job beyond SageMaker's own request."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.requests.alternatives import Alternative, read_alternatives
from scheduler.errors.refusals import BadRequest


@frozen
class JobOptions:
    priority: int = 0  # higher runs first
    hold: bool = False  # wait until somebody releases it
    never_preempt: bool = False
    checkpoint_interval: int | None = None  # seconds between the checkpoints that the user's script writes
    idle_exempt: bool = False  # its GPUs may be idle
    alternatives: tuple[Alternative, ...] = ()  # to the request, the better ones first


MAX_PRIORITY = 9_999
TAG_PREFIX = "queue:"
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_FLAGS = {"true": True, "false": False}


def read_options(request: Mapping[str, Any], beside: Mapping[str, Any]) -> JobOptions:
    """What the caller chose, by tag or beside the request. Raises BadRequest, also where the two differ."""
    tagged = {given.option: given for given in _in_tags(request)}
    alternatives = read_alternatives(beside["alternatives"]) if "alternatives" in beside else ()
    beside = {name: value for name, value in beside.items() if name != "alternatives"}
    for name, value in beside.items():
        option = _known(name)
        if not option.allows(value):
            raise _refused(option, value, f"options.{name}")
        if name in tagged and tagged[name].value != value:
            raise BadRequest(
                f"The option {name} is {value!r}, but the tag {tagged[name].tag} says {tagged[name].value!r}",
                field=f"options.{name}",
                remedy="Give it once, or the same both times.",
            )
    values = {given.option: given.value for given in tagged.values()} | beside
    options = JobOptions(**values, alternatives=alternatives)
    _refuse_interval_without_checkpoints(options, request)
    return options


def is_option(tag: str) -> bool:
    """Whether the tag of this key is meant for the queue."""
    return tag in _BY_TAG


@frozen
class _Option:
    name: str
    allows: Callable[[object], bool]
    from_text: Callable[[str], object]
    remedy: str

    @property
    def tag(self) -> str:
        return TAG_PREFIX + self.name.replace("_", "-")


@frozen
class _Given:
    option: str
    tag: str  # as the user wrote it
    value: Any


def _whole_number(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high  # a bool is an int to isinstance


def _number_in(text: str) -> object:
    return int(text) if _INTEGER.fullmatch(text.strip()) else text


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _flag_in(text: str) -> object:
    return _FLAGS.get(text, text)


_OPTIONS = (
    _Option(
        "priority",
        _whole_number(-MAX_PRIORITY, MAX_PRIORITY),
        _number_in,
        f"Use an integer from -{MAX_PRIORITY} to {MAX_PRIORITY}; higher runs first, the default is 0.",
    ),
    _Option("hold", _is_flag, _flag_in, "Use true to let the job wait until it is released, or false."),
    _Option("never_preempt", _is_flag, _flag_in, "Use true if the job must not be interrupted, or false."),
    _Option("idle_exempt", _is_flag, _flag_in, "Use true if the job's GPUs may be idle, or false."),
    _Option(
        "checkpoint_interval",
        _whole_number(1, MAX_MAX_RUNTIME),
        _number_in,
        f"Use the seconds between two checkpoints of the script, from 1 to {MAX_MAX_RUNTIME}.",
    ),
)
_BY_NAME = {option.name: option for option in _OPTIONS}
#: `priority` alone is what the first users know.
_BY_TAG = {option.tag: option for option in _OPTIONS} | {"priority": _BY_NAME["priority"]}


def _in_tags(request: Mapping[str, Any]) -> Iterator[_Given]:
    seen: set[str] = set()
    for index, tag in enumerate(request.get("Tags", [])):
        key, text = tag["Key"], tag["Value"]
        if key.startswith(TAG_PREFIX) and key not in _BY_TAG:
            raise BadRequest(
                f"{key} is not a tag that the queue knows",
                field=f"Tags[{index}].Key",
                remedy=f"There are {', '.join(option.tag for option in _OPTIONS)}.",
            )
        if option := _BY_TAG.get(key):
            value = option.from_text(text)
            if not option.allows(value):
                raise _refused(option, text, f"Tags[{index}].Value")
            if option.name in seen:
                raise BadRequest(
                    f"{option.name} is given by more than one tag",
                    field=f"Tags[{index}].Value",
                    remedy=f"Give the tag {option.tag} once.",
                )
            seen.add(option.name)
            yield _Given(option.name, key, value)


def _known(name: str) -> _Option:
    if name not in _BY_NAME:
        known = ", ".join([*_BY_NAME, "alternatives"])
        raise BadRequest(f"There is no option {name}", field=f"options.{name}", remedy=f"There are {known}.")
    return _BY_NAME[name]


def _refused(option: _Option, value: object, field: str) -> BadRequest:
    return BadRequest(f"{option.name} cannot be {value!r}", field=field, remedy=option.remedy)


def _refuse_interval_without_checkpoints(options: JobOptions, request: Mapping[str, Any]) -> None:
    if options.checkpoint_interval is not None and "CheckpointConfig" not in request:
        raise BadRequest(
            "A checkpoint interval is given, but the job has no checkpoints",
            field="CheckpointConfig",
            remedy="Add CheckpointConfig.S3Uri, or leave the interval out.",
        )
