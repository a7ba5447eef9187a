"""The member `on_end` of a submission: what it accepts, and that no refusal shows a token."""

from dataclasses import replace
from typing import Any

import pytest

from scheduler.core.history.callbacks.callback import (
    MOST_OPEN,
    AllowedCallbacks,
    Callback,
    CallbackKind,
    refuse_more_callbacks,
)
from scheduler.errors.refusals import BadRequest
from support.builders.jobs import NOON

SECRET = "AQB8secret+token/for=tests"
ALLOWED = AllowedCallbacks(are_on=True, webhook_hosts=("hooks.example.org", "ci.example.org"))
URL = f"https://hooks.example.org/ended?key={SECRET}"


def test_each_member_is_a_callback() -> None:
    on_end = {"task_token": SECRET, "pipeline_token": "abcdefghij", "event_bus": "sagequeue-vision", "url": URL}
    read = ALLOWED.read(on_end, "resnet", NOON)
    assert [(one.kind, one.address) for one in read] == [
        (CallbackKind.TASK_TOKEN, SECRET),
        (CallbackKind.PIPELINE_TOKEN, "abcdefghij"),
        (CallbackKind.EVENT_BUS, "sagequeue-vision"),
        (CallbackKind.URL, URL),
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
        ({"url": [URL]}, "on_end.url"),
        ({"url": URL.replace("https", "http")}, "on_end.url"),
        ({"url": URL.replace("hooks.example.org", "10.0.0.1")}, "on_end.url"),
        ({"url": URL.replace("hooks.example.org", "hooks.example.org:8443")}, "on_end.url"),
        ({"url": URL.replace("hooks.example.org", "user@hooks.example.org")}, "on_end.url"),
        ({"url": URL + "x" * 1000}, "on_end.url"),
        ({"url": URL.replace("hooks", "other")}, "on_end.url"),
    ],
)
def test_a_refusal_names_the_member_and_shows_no_token(on_end: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        ALLOWED.read(on_end, "resnet", NOON)
    assert refused.value.field == field
    assert SECRET not in f"{refused.value.message} {refused.value.field} {refused.value.remedy}"


def test_without_the_parameter_only_an_empty_member_is_accepted() -> None:
    off = replace(ALLOWED, are_on=False)
    assert off.read({}, "resnet", NOON) == ()
    with pytest.raises(BadRequest, match="sends no callbacks"):
        off.read({"task_token": SECRET}, "resnet", NOON)


def test_a_callback_shows_its_key_instead_of_its_token() -> None:
    callback = Callback("resnet", CallbackKind.TASK_TOKEN, SECRET, NOON)
    assert SECRET not in repr(callback)
    assert len(callback.key) == 32
    assert callback.key != Callback("resnet", CallbackKind.PIPELINE_TOKEN, SECRET, NOON).key


@pytest.mark.parametrize(
    ("hosts", "remedy"),
    [
        ((), "Ask an operator to add it to the stack's parameter WebhookHosts."),
        (ALLOWED.webhook_hosts, "WebhookHosts, or use one of these hosts: ci.example.org, hooks.example.org."),
    ],
)
def test_a_host_that_the_stack_does_not_allow_is_refused_with_the_allowed_ones(
    hosts: tuple[str, ...], remedy: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        replace(ALLOWED, webhook_hosts=hosts).read({"url": "https://evil.example.org/x"}, "resnet", NOON)
    assert (
        refused.value.message == "on_end.url has the host 'evil.example.org', which this queue is not allowed to call"
    )
    assert refused.value.remedy.endswith(remedy)


def tokens(*numbers: int) -> list[Callback]:
    return [Callback("resnet", CallbackKind.TASK_TOKEN, f"token-{number}", NOON) for number in numbers]


def test_a_job_may_have_so_many_open_callbacks_and_no_more() -> None:
    refuse_more_callbacks(tokens(*range(MOST_OPEN - 1)), tokens(MOST_OPEN))
    full = tokens(*range(MOST_OPEN))
    refuse_more_callbacks(full, full[:2])  # they are open already
    with pytest.raises(BadRequest, match=f"adds to {MOST_OPEN} open callbacks .* {MOST_OPEN} are allowed") as refused:
        refuse_more_callbacks(full, tokens(MOST_OPEN))
    assert refused.value.field == "on_end"
