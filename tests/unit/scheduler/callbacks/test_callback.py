"""The member `on_end` of a submission: what it accepts, and that no refusal shows a token."""

from typing import Any

import pytest

from scheduler.core.history.callbacks.callback import Callback, CallbackKind, read_callbacks
from scheduler.errors.refusals import BadRequest
from support.builders.jobs import NOON

SECRET = "AQB8secret+token/for=tests"


def test_each_member_is_a_callback() -> None:
    on_end = {"task_token": SECRET, "pipeline_token": "abcdefghij", "event_bus": "sagequeue-vision"}
    read = read_callbacks(on_end, "resnet", NOON, are_on=True)
    assert [(one.kind, one.address) for one in read] == [
        (CallbackKind.TASK_TOKEN, SECRET),
        (CallbackKind.PIPELINE_TOKEN, "abcdefghij"),
        (CallbackKind.EVENT_BUS, "sagequeue-vision"),
    ]
    assert {(one.job, one.added_at) for one in read} == {("resnet", NOON)}


@pytest.mark.parametrize(
    ("on_end", "field"),
    [
        ({"task_token": ""}, "on_end.task_token"),
        ({"task_token": f"{SECRET} {SECRET}"}, "on_end.task_token"),
        ({"task_token": SECRET * 100}, "on_end.task_token"),
        ({"task_token": [SECRET]}, "on_end.task_token"),
        ({"pipeline_token": SECRET}, "on_end.pipeline_token"),
        ({"event_bus": "default"}, "on_end.event_bus"),
        ({"event_bus": f"sagequeue-{SECRET} "}, "on_end.event_bus"),
        ({SECRET: "task_token"}, "on_end"),
    ],
)
def test_a_refusal_names_the_member_and_shows_no_token(on_end: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read_callbacks(on_end, "resnet", NOON, are_on=True)
    assert refused.value.field == field
    assert SECRET not in f"{refused.value.message} {refused.value.field} {refused.value.remedy}"


def test_without_the_parameter_only_an_empty_member_is_accepted() -> None:
    assert read_callbacks({}, "resnet", NOON, are_on=False) == ()
    with pytest.raises(BadRequest, match="sends no callbacks"):
        read_callbacks({"task_token": SECRET}, "resnet", NOON, are_on=False)


def test_a_callback_shows_its_key_instead_of_its_token() -> None:
    callback = Callback("resnet", CallbackKind.TASK_TOKEN, SECRET, NOON)
    assert SECRET not in repr(callback)
    assert len(callback.key) == 32
    assert callback.key != Callback("resnet", CallbackKind.PIPELINE_TOKEN, SECRET, NOON).key
