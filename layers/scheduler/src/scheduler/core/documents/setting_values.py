"""Reads values of the stack's settings that must be one of several names."""

from enum import StrEnum
from typing import TypeVar

from scheduler.errors.internal import BadSetting

_Choice = TypeVar("_Choice", bound=StrEnum)


def choice_of(choices: type[_Choice], setting: str, text: object) -> _Choice:
    """Returns the choice that the text names. Raises BadSetting with all of them."""
    try:
        return choices(str(text))
    except ValueError as error:
        raise BadSetting(setting, f"{text!r} is not one of {', '.join(choices)}") from error
