"""Rules that complete requests at submission: defaults for members that a request leaves out, and tags."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from unicodedata import category

from scheduler.core.guardrails.rules import Default, DefaultRule, kind
from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.jobs.work.kind import WorkKind, kind_of
from scheduler.core.requests.attempt_request import MAX_USER_TAGS, RESERVED_PREFIX
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.strict_structure import check_field
from scheduler.errors.refusals import shown

_LONGEST_KEY, _LONGEST_VALUE = 128, 256  # SageMaker's limits for tags (aws-facts 2.30)
_KEY_FORM = re.compile("[a-zA-Z0-9:/_-]{0,2048}")  # of a KMS key, in SageMaker's model
_RESERVED = ("aws:", "queue:", RESERVED_PREFIX)
_TAG_SIGNS = "_.:/=+-@"
_TAG_REMEDY = f"use letters, digits, spaces and {_TAG_SIGNS}"


@kind("set_default")
class SetDefault(DefaultRule):
    """Sets members that requests for training jobs leave out. A member without a default stays unset."""

    max_runtime: Duration = 0
    network_isolation: bool = False
    traffic_encryption: bool = False
    volume_key: str = ""
    output_key: str = ""

    def __post_init__(self) -> None:
        DefaultRule.__post_init__(self)
        check_field("name", any(self._values.values()), "sets no default: add one, such as max_runtime")
        check_field("max_runtime", self.max_runtime <= MAX_MAX_RUNTIME, "must be at most 28d, the longest run time")
        for member, key in {"volume_key": self.volume_key, "output_key": self.output_key}.items():
            problem = f"is {shown(key)}: use letters, digits and :/_-, at most 2048 characters"
            check_field(member, _KEY_FORM.fullmatch(key), problem)

    def defaults(self, subject: Subject) -> Iterator[Default]:
        if kind_of(subject.request) is WorkKind.TRAINING:
            for path, value in self._values.items():
                if value and subject.at(path) is None:
                    yield Default(path, str(value).lower() if value is True else str(value), value)

    @property
    def _values(self) -> Mapping[str, Any]:
        return {
            "StoppingCondition.MaxRuntimeInSeconds": self.max_runtime,
            "EnableNetworkIsolation": self.network_isolation,
            "EnableInterContainerTrafficEncryption": self.traffic_encryption,
            "ResourceConfig.VolumeKmsKeyId": self.volume_key,
            "OutputDataConfig.KmsKeyId": self.output_key,
        }


@kind("append_tags")
class AppendTags(DefaultRule):
    """Adds tags that requests of any kind leave out. If a request already has a tag, the tag keeps its value."""

    tags: Mapping[str, str]

    def __post_init__(self) -> None:
        DefaultRule.__post_init__(self)
        number = len(self.tags)
        check_field("tags", 0 < number <= MAX_USER_TAGS, f"must name 1 to {MAX_USER_TAGS} tags, not {number}")
        for key, value in self.tags.items():
            is_key = 0 < len(key) <= _LONGEST_KEY and not key.lower().startswith(_RESERVED)
            remedy = f"use 1 to {_LONGEST_KEY} characters, and begin with none of {', '.join(_RESERVED)}"
            check_field("tags", is_key, f"has the key {key!r}: {remedy}")
            check_field("tags", len(value) <= _LONGEST_VALUE, f"has a value of {key} above {_LONGEST_VALUE} characters")
            check_field("tags", _has_tag_characters(key), f"has the key {shown(key)}: {_TAG_REMEDY}")
            check_field("tags", _has_tag_characters(value), f"has the value {shown(value)} of {key}: {_TAG_REMEDY}")

    def defaults(self, subject: Subject) -> Iterator[Default]:
        given = subject.tags
        for key, value in self.tags.items():
            if key not in given:
                yield Default("Tags", f"{key}={value}", {"Key": key, "Value": value})


def _has_tag_characters(text: str) -> bool:
    """Returns whether SageMaker accepts the text in a tag. It refuses line feeds and tabs, unlike other spaces."""
    return all(character in _TAG_SIGNS or category(character)[0] in "LNZ" for character in text)
