"""The committed page is the build of its sources."""

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def test_the_sources_build_what_is_committed_byte_for_byte(tmp_path: Path) -> None:
    node = Path(sys.executable).with_name("node")
    subprocess.run([node, "build.js", str(tmp_path)], cwd=CHECKOUT / "client" / "ui", check=True)  # noqa: S603  # our own
    built = CHECKOUT / "client" / "src" / "sagequeue" / "ui" / "built"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        path.name: path.read_bytes() for path in built.iterdir()
    }
