"""Names of attempts."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.jobs.attempt import MAX_NAME_LENGTH, attempt_name

SAGEMAKER_NAME = r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}"
names = st.from_regex(SAGEMAKER_NAME, fullmatch=True).filter(lambda name: len(name) <= MAX_NAME_LENGTH)


def test_a_name_that_fits_is_kept_whole() -> None:
    assert attempt_name("resnet", "sq", 3) == "resnet-sq-3"


@given(names, st.integers(1, 9999))
def test_every_name_is_one_that_sagemaker_accepts(name: str, number: int) -> None:
    made = attempt_name(name, "sq", number)
    assert len(made) <= MAX_NAME_LENGTH
    assert made.endswith(f"-sq-{number}")
    assert not made.removesuffix(f"-sq-{number}").endswith("-")  # as it would where it is cut at a dash


def test_two_long_names_that_begin_alike_stay_apart() -> None:
    stem = "a" * 62
    assert attempt_name(stem + "1", "sq", 1) != attempt_name(stem + "2", "sq", 1)
