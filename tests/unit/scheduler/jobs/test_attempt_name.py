"""Names of attempts."""

import re
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.jobs.attempt import MAX_NAME_LENGTH, attempt_name, number_in

SAGEMAKER_NAME = r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}"
names = st.from_regex(SAGEMAKER_NAME, fullmatch=True).filter(lambda name: len(name) <= MAX_NAME_LENGTH)
marks = st.from_regex(r"[a-z][a-z0-9]{1,7}", fullmatch=True)  # as the parameter NameMark allows


def test_a_name_that_fits_is_kept_whole() -> None:
    assert attempt_name("resnet", "sq", 3) == "resnet-sq-3"


def test_a_long_name_is_cut_and_followed_by_a_digest() -> None:
    name = "a" * 24 + "-" * 10 + "b" * 29
    assert attempt_name(name, "sq", 3) == "a" * 24 + "-sq-3-" + sha256(name.encode()).hexdigest()[:32]


@given(names, marks, st.integers(1, 9999))
def test_every_name_is_one_that_sagemaker_and_the_permissions_accept(name: str, mark: str, number: int) -> None:
    made = attempt_name(name, mark, number)
    assert len(made) <= MAX_NAME_LENGTH
    assert re.fullmatch(SAGEMAKER_NAME, made)
    assert re.fullmatch(rf".+-{mark}-.+", made)  # as the patterns of the roles and the filter of events have it


@given(names, marks, st.integers(1, 9999))
def test_the_number_can_be_read_from_the_name(name: str, mark: str, number: int) -> None:
    assert number_in(attempt_name(name, mark, number), mark) == number


def test_names_outside_the_queue_have_no_number() -> None:
    assert [number_in(name, "sq") for name in ("resnet", "resnet-sq-0", "resnet-sq-x", "-sq-1", "a-sq-1-beef")] == [
        None
    ] * 5


def test_two_long_names_that_begin_alike_stay_apart() -> None:
    stem = "a" * 62
    assert attempt_name(stem + "1", "sq", 1) != attempt_name(stem + "2", "sq", 1)


@given(st.from_regex(r"[a-z0-9-]{62}[a-z]", fullmatch=True), st.integers(1, 9999))
def test_no_other_name_gets_the_attempt_of_a_long_one(name: str, number: int) -> None:
    made = attempt_name(name, "sq", number)
    beginnings = {made[:length] for length in range(1, len(made))}
    assert made not in {attempt_name(other, "sq", other_number) for other in beginnings for other_number in (1, number)}
