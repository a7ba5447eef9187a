"""Distributes tests to workers: tests that share an account or a server go to one worker, long tests first."""

from collections.abc import Sequence

from xdist.scheduler import LoadFileScheduling

#: Groups of tests that go to one worker, as beginnings of paths, longest group first. Other tests follow, file by file.
#: If several groups match a path, the first one counts.
TOGETHER: Sequence[Sequence[str]] = (
    ("tests/e2e/guardrails/test_guard_tour.py",),
    ("tests/soak/",),
    ("tests/e2e/jobs/test_examples.py", "tests/e2e/guardrails/", "tests/e2e/cli/"),
    ("tests/e2e/jobs/",),
    ("tests/e2e/access/", "tests/e2e/capacity/"),
    ("tests/integration/local_account/",),
    ("tests/simulation/worlds/test_random_worlds.py",),
    ("tests/simulation/jobs/test_replay.py",),
    ("tests/integration/local_sagemaker/conformance/",),
    ("tests/contract/jobs/",),
    ("tests/contract/",),
)


class Distribution(LoadFileScheduling):  # type: ignore[misc] # pytest-xdist ships no types
    """Gives each worker one group in TOGETHER, or one file, at a time."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        place = place_of(file)
        return " ".join(TOGETHER[place]) if place < len(TOGETHER) else file


def place_of(file: str) -> int:
    """Returns the position of the file's group in TOGETHER, or the number of groups if no group contains the file."""
    return next((place for place, group in enumerate(TOGETHER) if file.startswith(tuple(group))), len(TOGETHER))
