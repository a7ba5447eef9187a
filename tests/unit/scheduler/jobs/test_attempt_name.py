"""Names of attempts."""

import re
from hashlib import sha256
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.jobs.attempt import attempt_name, number_in
from scheduler.core.jobs.work.kind import FORMS, WorkKind

SAGEMAKER_NAME = r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}"
TRAINING, TUNING = WorkKind.TRAINING, WorkKind.TUNING
kinds = st.sampled_from(WorkKind)
marks = st.from_regex(r"[a-z][a-z0-9]{1,7}", fullmatch=True)  # as the parameter NameMark allows


@st.composite
def named(draw: st.DrawFn) -> tuple[str, WorkKind]:
    """A job's name, as SageMaker allows it for the kind of the job."""
    kind = draw(kinds)
    characters = st.text(f"{ascii_letters}{digits}-", max_size=FORMS[kind].longest_name)
    return draw(characters.map(lambda name: name.strip("-") or "a")), kind


def test_a_name_that_fits_is_kept_whole() -> None:
    assert attempt_name("resnet", "sq", 3, TRAINING) == attempt_name("resnet", "sq", 3, TUNING) == "resnet-sq-3"


def test_a_long_name_is_cut_and_followed_by_a_digest() -> None:
    name = "a" * 24 + "-" * 10 + "b" * 29
    assert attempt_name(name, "sq", 3, TRAINING) == "a" * 24 + "-sq-3-" + sha256(name.encode()).hexdigest()[:32]


def test_a_tuning_job_leaves_room_for_the_names_of_its_children() -> None:
    name = "pytorch-training-261128-0145-abc"  # as long as SDK v2 makes them
    assert attempt_name(name, "sq", 3, TUNING) == "pytorch-training-2-sq-3-" + sha256(name.encode()).hexdigest()[:8]


@given(named(), marks, st.integers(1, 9999))
def test_every_name_is_one_that_sagemaker_and_the_permissions_accept(
    of: tuple[str, WorkKind], mark: str, number: int
) -> None:
    name, kind = of
    made = attempt_name(name, mark, number, kind)
    assert len(made) <= FORMS[kind].longest_name
    assert re.fullmatch(SAGEMAKER_NAME, made)
    assert re.fullmatch(rf".+-{mark}-.+", made)  # as the patterns of the roles and the filter of events have it


@given(named(), marks, st.integers(1, 9999))
def test_the_number_can_be_read_from_the_name(of: tuple[str, WorkKind], mark: str, number: int) -> None:
    name, kind = of
    assert number_in(attempt_name(name, mark, number, kind), mark, kind) == number


@pytest.mark.parametrize("kind", WorkKind)
@pytest.mark.parametrize("name", ["resnet", "resnet-sq-0", "resnet-sq-x", "-sq-1", "a-sq-1-beef"])
def test_names_outside_the_queue_have_no_number(name: str, kind: WorkKind) -> None:
    assert number_in(name, "sq", kind) is None


def test_a_child_of_a_tuning_job_is_no_attempt() -> None:
    assert number_in("resnet-sq-1-001-0123abcd", "sq", TRAINING) is None
    assert number_in("resnet-sq-1-001-0123abcd", "sq", TUNING) is None


def test_two_long_names_that_begin_alike_stay_apart() -> None:
    stem = "a" * 62
    assert attempt_name(stem + "1", "sq", 1, TRAINING) != attempt_name(stem + "2", "sq", 1, TRAINING)


@given(st.from_regex(r"[a-z0-9-]{62}[a-z]", fullmatch=True), st.integers(1, 9999))
def test_no_other_name_gets_the_attempt_of_a_long_one(name: str, number: int) -> None:
    made = attempt_name(name, "sq", number, TRAINING)
    beginnings = {made[:length] for length in range(1, len(made))}
    others = {attempt_name(other, "sq", n, TRAINING) for other in beginnings for n in (1, number)}
    assert made not in others
