"""Leaves of botocore's data only what the functions use: `python lean_data.py FOLDER OPERATIONS`.

Each cold start reads these files. Most of what is in them is documentation, operations that nothing here calls, and
endpoints of 400 services. The file OPERATIONS has the names of those that are called, by service; a client has no
method for any other.
"""

import gzip
import json
import shutil
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

_UNUSED = ("*/*/examples-1.json", "*/*/waiters-2.json")


def leave_only(called: dict[str, list[str]], data: Path) -> None:
    for folder in data.iterdir():
        if folder.is_dir() and folder.name not in called:
            shutil.rmtree(folder)
    for unused in (file for pattern in _UNUSED for file in data.glob(pattern)):
        unused.unlink()
    prefixes = {_with_only(called[model.parts[-3]], model) for model in data.glob("*/*/service-2.json.gz")}
    endpoints = data / "endpoints.json"
    known = json.loads(endpoints.read_bytes())
    for partition in known["partitions"]:
        partition["services"] = {name: of for name, of in partition["services"].items() if name in prefixes}
    endpoints.write_text(json.dumps(known))


def _with_only(operations: Collection[str], model: Path) -> str:
    """Writes the model anew; the name that its service has among the endpoints."""
    lean = json.loads(gzip.decompress(model.read_bytes()))
    # Of what concerns endpoints botocore reads the documentation.
    lean["operations"] = {name: _undocumented(of) for name, of in lean["operations"].items() if name in operations}
    lean["shapes"] = _undocumented(_reached(lean["operations"], lean["shapes"]))
    model.write_bytes(gzip.compress(json.dumps(lean).encode(), mtime=0))
    prefix: str = lean["metadata"]["endpointPrefix"]
    return prefix


def _reached(operations: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """The shapes that these operations take, answer or fail with, and all that these are made of."""
    reached: dict[str, Any] = {}
    names = _named_in(operations)
    while names:
        reached |= {name: shapes[name] for name in names}
        names = {inner for name in names for inner in _named_in(shapes[name])} - reached.keys()
    return reached


def _named_in(known: Any) -> set[str]:
    if isinstance(known, list):
        return set().union(*map(_named_in, known))
    if not isinstance(known, dict):
        return set()
    named = {known["shape"]} if isinstance(known.get("shape"), str) else set()  # a member of that name is an object
    return named.union(*map(_named_in, known.values()))


def _undocumented(known: Any) -> Any:
    if isinstance(known, dict):
        # a member of that name is an object
        names = [name for name, value in known.items() if name != "documentation" or not isinstance(value, str)]
        return {name: _undocumented(known[name]) for name in names}
    return known


if __name__ == "__main__":
    leave_only(json.loads(Path(sys.argv[2]).read_text()), Path(sys.argv[1]))
