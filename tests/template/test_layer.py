"""The layer's dependencies are those that the tests ran with."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_layer_ships_the_versions_that_were_tested() -> None:
    assert _pins("layers/scheduler/pins.txt") <= _pins("requirements/dev.txt")


def test_sam_sees_no_requirements_file() -> None:
    """With one, `sam build` would demand the runtime's own Python on the user's PATH."""
    assert not [*ROOT.glob("functions/**/requirements.txt"), *ROOT.glob("layers/**/requirements.txt")]


def _pins(path: str) -> set[str]:
    return set((ROOT / path).read_text().split())
