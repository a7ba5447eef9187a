"""The layer's dependencies are those that the tests ran with."""

import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LAYER = ROOT / "layers" / "scheduler"


def test_the_layer_ships_the_versions_that_were_tested() -> None:
    assert _pins(LAYER / "pins.txt") <= _pins(ROOT / "requirements" / "dev.txt")


def test_everything_in_the_layer_is_pinned() -> None:
    pinned = {canonicalize_name(pin.partition("==")[0]) for pin in _pins(LAYER / "pins.txt")}
    project = tomllib.loads((LAYER / "pyproject.toml").read_text())["project"]
    assert pinned == _closure(project["dependencies"])


def test_sam_sees_no_requirements_file() -> None:
    """With one, `sam build` would demand the runtime's own Python on the user's PATH."""
    assert not [*ROOT.glob("functions/**/requirements.txt"), *ROOT.glob("layers/**/requirements.txt")]


def test_the_layer_has_the_service_of_every_client_that_the_functions_make() -> None:
    wiring = [path.read_text() for path in (LAYER / "src" / "scheduler").glob("*wiring.py")]
    made = set(re.findall(r'\bclient\("([a-z0-9-]+)"', "".join(wiring)))
    (kept,) = re.findall(r"^SERVICES := (.*)$", (LAYER / "Makefile").read_text(), re.MULTILINE)
    assert made
    assert made | {"sts"} == set(kept.split())  # botocore asks sts for some kinds of credentials


def _pins(path: Path) -> set[str]:
    return set(path.read_text().split())


def _closure(dependencies: list[str]) -> set[str]:
    """Their names and, as installed here, those of what they depend on."""
    needed = {Requirement(text) for text in dependencies}
    names = {canonicalize_name(one.name) for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})}
    return names.union(*(_closure(requires(name) or []) for name in names))
