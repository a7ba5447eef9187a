"""The walks of docs/contribute name existing files, and stay short enough to read in one go."""

import pytest

from support.checkout import CHECKOUT
from support.walks import walks

#: The largest number of files of each walk.
LIMITS = {
    "fit()": 10,
    "sagequeue ls": 12,
    "sagequeue local up": 10,
    "One submission": 12,
    "One action": 9,
    "One explanation": 11,
    "One cycle": 15,
}

WALKS = walks()


def test_the_page_has_the_walks_of_a_user() -> None:
    assert {"fit()", "sagequeue ls", "sagequeue local up"} <= WALKS.keys() <= LIMITS.keys()


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_names_existing_files_once_each_and_keeps_its_limit(walk: str) -> None:
    files = WALKS[walk]
    assert 0 < len(files) <= LIMITS[walk]
    assert len(set(files)) == len(files)
    assert [file for file in files if not (CHECKOUT / file).is_file()] == []
