"""All accounts of a checkout share sam's cache. A small program stands in for sam."""

from pathlib import Path

import pytest

from local_account.errors import AccountError
from local_account.paths import Paths
from local_account.settings import Settings
from local_account.stack import build

SAM = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in --build-dir) build=$2 ;; --cache-dir) cache=$2 ;; esac
  shift
done
mkdir -p "$cache" "$build"
if [ -e "$build/../build.toml" ]; then echo "found $(cat "$build/../build.toml")"; fi
echo "$cache" > "$build/../build.toml"
echo "Resources: {BodiesPolicy: {}}" > "$build/template.yaml"  # the emulator's patch removes it
[ -e "$build/../broken" ] && exit 1
exit 0
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    sam = tmp_path / ".venvs" / "sam" / "bin" / "sam"
    sam.parent.mkdir(parents=True)
    sam.write_text(SAM)
    sam.chmod(0o755)
    return tmp_path


def an_account(checkout: Path, name: str, *, is_queue: bool = True) -> Paths:
    paths = Paths(checkout, checkout / "template.yaml", checkout / name, is_queue=is_queue)
    for folder in (paths.logs, paths.scratch):
        folder.mkdir(parents=True)
    return paths


def builds(paths: Paths) -> str:
    """Builds, and returns what the program has printed so far."""
    build(Settings(), "key", paths)
    return paths.log("sam").read_text()


def test_an_account_uses_what_another_one_has_built(checkout: Path) -> None:
    first, second = an_account(checkout, "first"), an_account(checkout, "second")
    assert builds(first) == ""
    assert builds(second) == f"found {first.build_cache / 'builds'}\n"


def test_a_failed_build_is_not_used_again(checkout: Path) -> None:
    first, second = an_account(checkout, "first"), an_account(checkout, "second")
    (first.home / "broken").touch()
    with pytest.raises(AccountError, match="sam build failed"):
        builds(first)
    assert builds(second) == ""


def test_another_template_has_its_own_cache(checkout: Path) -> None:
    queue, other = an_account(checkout, "queue"), an_account(checkout, "other", is_queue=False)
    builds(queue)
    assert builds(other) == ""
    assert builds(other) == f"found {other.home / 'build-cache' / 'builds'}\n"
