"""The walk of docs/contribute/client-walks.md from `sagequeue local up` to a running account."""

import pytest

from support.walks import walks

#: It runs in a process of its own.
EMULATOR = "local/src/local_sagemaker/__main__.py"


@pytest.mark.usefixtures("account")
def test_local_up_runs_in_the_files_of_its_walk(files_of_up: set[str]) -> None:
    assert sorted({*files_of_up, EMULATOR}) == sorted(walks()["sagequeue local up"])
