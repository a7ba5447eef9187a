"""Reads a job's options from tags in its request, which every SDK can set, or from JSON next to the request."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import tzinfo
from typing import Any

from scheduler.core.calendar.times import option_values
from scheduler.core.jobs.demand import InstanceRange
from scheduler.core.jobs.dependencies import option_values as dependency_values
from scheduler.core.jobs.job import MAX_MAX_RUNTIME, JobOptions
from scheduler.core.jobs.job_state import ChoiceOrder, NotifyMoment
from scheduler.core.jobs.team import TEAM_NAME
from scheduler.core.jobs.work.definitions import shell_member_of
from scheduler.core.jobs.work.kind import WorkKind, kind_of
from scheduler.core.requests.alternatives import Alternative, read_alternatives
from scheduler.core.requests.elastic_width import REMEDY, ElasticWidth, range_in, read_instances, with_fewer_trials
from scheduler.errors.refusals import BadRequest, bad_field, shortened, shown

#: Operators may allow fewer.
MOST_RETRIES = 1000
MAX_PRIORITY = 9_999
#: SageMaker's limit on the training jobs of one tuning job.
MOST_PARALLEL = 750
#: The options that cannot change after submission: a change would make it a different job, or a separate action makes
#: the change.
_FIXED = frozenset(
    {
        *("hold", "interactive", "source_etag", "alternatives", "order"),
        *("instances", "restart_tuning", "min_parallel"),
        *dependency_values.NAMES,
    }
)
TAG_PREFIX = "queue:"
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_ETAG = re.compile(r"[A-Za-z0-9-]{1,128}")
#: Options for one kind of work. The options for training jobs change a member that tuning requests do not have.
_ONLY_FOR = {
    "instances": WorkKind.TRAINING,
    "alternatives": WorkKind.TRAINING,
    "order": WorkKind.TRAINING,
    "checkpoint_interval": WorkKind.TRAINING,
    "restart_tuning": WorkKind.TUNING,
    "min_parallel": WorkKind.TUNING,
}
_FLAGS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class SubmissionOptions:
    """Holds the options of a submission: those that the job keeps, and those that apply only at submission."""

    of_job: JobOptions
    hold: bool = False  # wait until it is released
    alternatives: tuple[Alternative, ...] = ()  # alternatives to the request, best first

    def differing_from_defaults(self) -> dict[str, object]:
        """Returns the options that differ from their defaults, by name."""
        given, known = _by_name(self), _by_name(SubmissionOptions(_DEFAULTS))
        return {name: value for name, value in given.items() if value != known[name]}


_DEFAULTS = JobOptions(priority=0)


def defaults_of(kind: WorkKind) -> JobOptions:
    """Returns the default options. By default, processing jobs are not preempted: they would lose all their work."""
    return replace(_DEFAULTS, never_preempt=kind is WorkKind.PROCESSING)


def _by_name(options: SubmissionOptions) -> dict[str, object]:
    values = asdict(options)
    return {**values_by_name(options.of_job), **{name: value for name, value in values.items() if name != "of_job"}}


def values_by_name(options: JobOptions) -> dict[str, object]:
    """Returns a job's options by the names that users see."""
    values = asdict(options)
    times = {name: value and str(value) for name, value in values.pop("times").items()}
    dependencies = {name: values["dependencies"][name] for name in dependency_values.NAMES}
    return {**{name: value for name, value in values.items() if name != "dependencies"}, **times, **dependencies}


def read_options(request: Mapping[str, Any], given: Mapping[str, Any]) -> SubmissionOptions:
    """Parses the options in the request's tags and next to the request.

    Raises BadRequest, for example if the two differ.
    """
    tagged = {option.name: option for option in _tagged_options(request)}
    _refuse_options_of_another_kind(kind_of(request), tagged, given)
    width = _elastic_width(tagged.get("instances"), given)
    alternatives = read_alternatives(given["alternatives"]) if "alternatives" in given else ()
    untagged = {name: _kept(value) for name, value in given.items() if name != "alternatives"}
    if width and "instances" in given:
        untagged["instances"] = width.range
    for name, value in untagged.items():
        option = _option_named(name)
        if not option.allows(value):
            raise _refused(option, f"options.{name}", given[name], f"options.{name}")
        if name in tagged and tagged[name].value != value:
            raise BadRequest(
                f"The option {name} is {_shown(value)}, but the tag {tagged[name].tag} is {_shown(tagged[name].value)}",
                field=f"options.{name}",
                remedy="Give the option once, or the same value both times.",
            )
    values = {option.name: option.value for option in tagged.values()} | untagged
    values.setdefault("never_preempt", defaults_of(kind_of(request)).never_preempt)
    if opens := shell_member_of(request):
        _refuse_as_interactive(values.get("interactive"), opens)
        values["interactive"] = True
    if values.get("interactive"):
        values.setdefault("idle_exempt", True)  # somebody works in the container, at the pace of a person
    hold = values.pop("hold", False)
    notify = tuple(map(NotifyMoment, values.pop("notify", ())))
    order = ChoiceOrder(values.pop("order", ChoiceOrder.GIVEN))
    if order is ChoiceOrder.BEST and not alternatives:
        field = tagged["order"].field if "order" in tagged else "options.order"
        raise bad_field(field, "is best, but the job has no alternatives", "Add options.alternatives, or omit it.")
    times = option_values.times_of({name: values.pop(name) for name in option_values.NAMES if name in values})
    names = [name for name in dependency_values.NAMES if name in values]
    dependencies = dependency_values.dependencies_of({name: values.pop(name) for name in names})
    options = JobOptions(**{"priority": 0} | values, notify=notify, order=order, times=times, dependencies=dependencies)
    refuse_without_checkpoints(options, has_checkpoints="CheckpointConfig" in request)
    if width:
        alternatives = width.alternatives(request)
    elif options.min_parallel is not None:
        alternatives = with_fewer_trials(request, options.min_parallel)
    return SubmissionOptions(options, hold, alternatives)


def changed_options(kind: WorkKind, known: JobOptions, given: Mapping[str, Any], time_zone: tzinfo) -> JobOptions:
    """Returns a job's options with a user's changes. None resets an option. Raises BadRequest."""
    defaults = replace(defaults_of(kind), idle_exempt=known.interactive)
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name in _FIXED:
            remedy = "Cancel the job, and submit it under another name."
            raise bad_field(f"options.{name}", "cannot change after the submission", remedy)
        option = _option_named(name)
        values[name] = _kept(value)
        if value is not None and not option.allows(values[name]):
            raise _refused(option, f"options.{name}", value, f"options.{name}")
    times = {name: values.pop(name) for name in option_values.NAMES if name in values}
    changed = {name: getattr(defaults, name) if value is None else value for name, value in values.items()}
    if "notify" in changed:
        changed["notify"] = tuple(map(NotifyMoment, changed["notify"]))
    return replace(known, **changed, times=option_values.changed_times(known.times, times, time_zone))


def refuse_without_checkpoints(options: JobOptions, *, has_checkpoints: bool) -> None:
    """Raises BadRequest if the options state a checkpoint interval, but the request has no place for checkpoints."""
    if options.checkpoint_interval is not None and not has_checkpoints:
        raise BadRequest(
            f"checkpoint_interval is {options.checkpoint_interval}, but CheckpointConfig is missing",
            field="CheckpointConfig",
            remedy="Add CheckpointConfig.S3Uri, or omit checkpoint_interval.",
        )


def _option_named(name: str) -> "_Option":
    if name not in _BY_NAME:
        known, named = ", ".join([*_BY_NAME, "alternatives"]), f"options.{shortened(name)}"
        raise BadRequest(f"{named} is not a known option", field=named, remedy=f"Use one of {known}.")
    return _BY_NAME[name]


def _refuse_options_of_another_kind(
    kind: WorkKind, tagged: Mapping[str, "_TaggedOption"], given: Mapping[str, Any]
) -> None:
    for name, only in _ONLY_FOR.items():
        if (name in tagged or name in given) and kind is not only:
            field = tagged[name].field if name in tagged else f"options.{name}"
            raise bad_field(field, f"sets the option {name}, which is only for {only} jobs", "Remove it.")


def _refuse_as_interactive(given: object, opens: str) -> None:
    """Raises BadRequest if the options deny that people work in the container: a cap applies to such jobs."""
    if given is False:
        raise BadRequest(
            f"The option interactive is false, but {opens} lets people open a shell",
            field=opens,
            remedy=f"Remove {opens}, or omit the option interactive.",
        )


def is_idle_exempt(request: Mapping[str, Any]) -> bool:
    """Returns whether a training job that bypassed the queue is exempt from watches, by the rule in `read_options`.

    A value that is neither true nor false counts as missing.
    """
    tags = {tag["Key"]: tag["Value"] for tag in request.get("Tags") or ()}
    is_interactive = tags.get(_BY_NAME["interactive"].tag) == "true" or shell_member_of(request) != ""
    return _FLAGS.get(tags.get(_BY_NAME["idle_exempt"].tag, ""), is_interactive)


def is_option(tag: str) -> bool:
    """Returns whether a tag with this key sets a queue option."""
    return tag in _BY_TAG


@dataclass(frozen=True, slots=True)
class _Option:
    name: str
    allows: Callable[[object], bool]
    from_text: Callable[[str], object]
    remedy: str

    @property
    def tag(self) -> str:
        return TAG_PREFIX + self.name.replace("_", "-")


@dataclass(frozen=True, slots=True)
class _TaggedOption:
    name: str
    tag: str  # its key, as the user wrote it
    value: Any
    field: str


def _elastic_width(tagged: _TaggedOption | None, given: Mapping[str, Any]) -> ElasticWidth | None:
    """Returns the option `instances`, which has hyperparameters only next to the request. Raises BadRequest."""
    if tagged is None and "instances" not in given:
        return None
    if "alternatives" in given:
        remedy = "Use alternatives for other types of instances, or instances for other numbers of them."
        raise bad_field("options.alternatives", "cannot be combined with the option instances", remedy)
    if tagged is None or "instances" in given:
        return read_instances(given["instances"])
    return ElasticWidth(tagged.value, {}, tagged.field)


def _kept(value: Any) -> Any:
    """Returns the value as a job stores it: JSON lists become tuples of strings, so that jobs stay immutable."""
    return tuple(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else value


def _whole_number(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high  # a bool is an int to isinstance


def _number_in(text: str) -> object:
    return int(text) if _INTEGER.fullmatch(text.strip()) else text


def _are_moments(value: object) -> bool:
    return isinstance(value, tuple) and {*value} <= {*NotifyMoment} and len({*value}) == len(value)


def _names_in(text: str) -> object:
    return tuple(re.split(r"[\s,+]+", text.strip()))


def _shown(value: object) -> str:
    return str(value) if isinstance(value, InstanceRange) else shown(value)


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
    _Option("interactive", _is_flag, _flag_in, "Use true if people work in the job's container, or false."),
    _Option(
        "checkpoint_interval",
        _whole_number(1, MAX_MAX_RUNTIME),
        _number_in,
        f"Use the seconds between two checkpoints of the script, from 1 to {MAX_MAX_RUNTIME}.",
    ),
    _Option(
        "team",
        lambda value: isinstance(value, str) and TEAM_NAME.fullmatch(value) is not None,
        str,
        "Use the name of a team: 1 to 64 letters, digits, - and _.",
    ),
    _Option(
        "retries",
        _whole_number(0, MOST_RETRIES),
        _number_in,
        f"Use the number of retries after failures, from 0 to {MOST_RETRIES}.",
    ),
    _Option(
        "source_etag",
        lambda value: isinstance(value, str) and _ETAG.fullmatch(value) is not None,
        str,
        "Use the ETag of the code in S3: 1 to 128 letters, digits and hyphens.",
    ),
    _Option(
        "notify",
        _are_moments,
        _names_in,
        f"Use {', '.join(NotifyMoment)}, each at most once: as start+end in a tag, or as a list in the options.",
    ),
    _Option(
        "order",
        lambda value: value in [*ChoiceOrder],
        str,
        f"Use {' or '.join(ChoiceOrder)}, the order in which the job's alternatives are tried.",
    ),
    _Option("instances", lambda value: isinstance(value, InstanceRange), range_in, REMEDY),
    _Option(
        "restart_tuning",
        _is_flag,
        _flag_in,
        "Use true if a stopped tuning job may start again without results, or false.",
    ),
    _Option(
        "min_parallel",
        _whole_number(1, MOST_PARALLEL),
        _number_in,
        f"Use the minimum number of parallel trials with which a tuning job may start, from 1 to {MOST_PARALLEL}.",
    ),
    _Option("not_before", option_values.is_time, str, option_values.REMEDY),
    _Option("expires", option_values.is_time, str, option_values.REMEDY),
    _Option("deadline", option_values.is_time, str, option_values.REMEDY),
    _Option(
        "deadline_for", option_values.is_deadline_for, str, "Use end or start, the event that the deadline is for."
    ),
    _Option("after_ok", dependency_values.are_job_names, _names_in, dependency_values.REMEDY),
    _Option("after_any", dependency_values.are_job_names, _names_in, dependency_values.REMEDY),
    _Option("after_not_ok", dependency_values.are_job_names, _names_in, dependency_values.REMEDY),
    _Option(
        "if_never_satisfied",
        dependency_values.is_if_never_satisfied,
        str,
        "Use park or cancel, the action if the dependencies can no longer be satisfied.",
    ),
)
_BY_NAME = {option.name: option for option in _OPTIONS}
#: A tag `priority` without the prefix also sets the priority, because early users know it.
_BY_TAG = {option.tag: option for option in _OPTIONS} | {"priority": _BY_NAME["priority"]}


def _tagged_options(request: Mapping[str, Any]) -> Iterator[_TaggedOption]:
    seen: set[str] = set()
    for index, tag in enumerate(request.get("Tags", [])):
        key, text = tag["Key"], tag["Value"]
        if key.startswith(TAG_PREFIX) and key not in _BY_TAG:
            raise BadRequest(
                f"The queue has no option tag {key}",
                field=f"Tags[{index}].Key",
                remedy=f"Use one of {', '.join(option.tag for option in _OPTIONS)}.",
            )
        if option := _BY_TAG.get(key):
            value = option.from_text(text)
            if not option.allows(value):
                raise _refused(option, f"The tag {key}", text, f"Tags[{index}].Value")
            if option.name in seen:
                raise BadRequest(
                    f"The tag {key} is {shown(text)}, but another tag also sets {option.name}",
                    field=f"Tags[{index}].Value",
                    remedy=f"Give the tag {option.tag} once.",
                )
            seen.add(option.name)
            yield _TaggedOption(option.name, key, value, f"Tags[{index}].Value")


def _refused(option: _Option, given_as: str, value: object, field: str) -> BadRequest:
    return BadRequest(f"{given_as} cannot be {shown(value)}", field=field, remedy=option.remedy)
