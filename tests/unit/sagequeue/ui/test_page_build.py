"""The built page matches its sources. `make page` builds it and needs node; users do not."""

import json
import re
from hashlib import sha256
from pathlib import Path

CHECKOUT = Path(__file__).parents[4]
UI = CHECKOUT / "client" / "ui"
BUILT = CHECKOUT / "client" / "src" / "sagequeue" / "ui" / "built"


def test_the_built_page_is_of_the_sources_as_they_are() -> None:
    found = re.search(r"digest (\w+)", (BUILT / "page.js").read_text())
    assert found is not None
    assert found[1] == digest(), "the sources have changed: run `make page` and commit what it builds"


def test_the_page_calls_no_other_server() -> None:
    texts = [path.read_text() for path in BUILT.iterdir()]
    addresses = {address for text in texts for address in re.findall(r"(?:https?:)?//[\w.-]+\.\w{2,}[\w./-]*", text)}
    names = ("http://www.w3.org/", "https://opensource.org/licenses/")  # of XML, and of a library's licence
    assert not [address for address in addresses if not address.startswith(names)]


def test_what_it_is_built_with_has_exact_versions() -> None:
    package = json.loads((UI / "package.json").read_text())
    versions = [*package["dependencies"].values(), *package["devDependencies"].values()]
    assert versions
    assert all(re.fullmatch(r"[0-9]+(\.[0-9]+){2}", version) for version in versions)


def digest() -> str:
    """As client/ui/build.js computes it."""
    total = sha256()
    sources = sorted(f"src/{path.name}" for path in (UI / "src").iterdir())
    for name in [*sources, "build.js", "package.json"]:
        total.update(f"{name}\n".encode() + (UI / name).read_bytes())
    return total.hexdigest()
