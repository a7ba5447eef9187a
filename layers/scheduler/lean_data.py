"""Removes the parts of botocore's data that the functions do not use: `python lean_data.py FOLDER OPERATIONS`.

Functions read the data when they start. OPERATIONS lists, by service, the operations that they call; clients have no
other methods.
"""

import gzip
import json
import shutil
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

_UNUSED = ("*/*/examples-1.json", "*/*/waiters-2.json")


def keep_only(called: dict[str, list[str]], data: Path) -> None:
    """Removes other services, unused files and operations, and the endpoints of other services."""
    for folder in data.iterdir():
        if folder.is_dir() and folder.name not in called:
            shutil.rmtree(folder)
    for unused in (file for pattern in _UNUSED for file in data.glob(pattern)):
        unused.unlink()
    prefixes = {_keep_operations(called[model.parts[-3]], model) for model in data.glob("*/*/service-2.json.gz")}
    endpoints = data / "endpoints.json"
    content = json.loads(endpoints.read_bytes())
    for partition in content["partitions"]:
        partition["services"] = {name: service for name, service in partition["services"].items() if name in prefixes}
    endpoints.write_text(json.dumps(content))


def _keep_operations(operations: Collection[str], model: Path) -> str:
    """Rewrites the model with these operations only, and returns the service's name among the endpoints."""
    lean = json.loads(gzip.decompress(model.read_bytes()))
    # Only these parts lose their documentation: botocore reads it in the parts about endpoints.
    lean["operations"] = {
        name: _undocumented(lean["operations"][name]) for name in lean["operations"] if name in operations
    }
    lean["shapes"] = _undocumented(_reached(lean["operations"], lean["shapes"]))
    model.write_bytes(gzip.compress(json.dumps(lean).encode(), mtime=0))
    prefix: str = lean["metadata"]["endpointPrefix"]
    return prefix


def _reached(operations: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """Returns the shapes of these operations' inputs, outputs and errors, and all shapes that these contain."""
    reached: dict[str, Any] = {}
    names = _named_in(operations)
    while names:
        reached |= {name: shapes[name] for name in names}
        names = {inner for name in names for inner in _named_in(shapes[name])} - reached.keys()
    return reached


def _named_in(part: Any) -> set[str]:
    if isinstance(part, list):
        return set().union(*map(_named_in, part))
    if not isinstance(part, dict):
        return set()
    named = {part["shape"]} if isinstance(part.get("shape"), str) else set()  # a member named "shape" is an object
    return named.union(*map(_named_in, part.values()))


def _undocumented(part: Any) -> Any:
    if isinstance(part, dict):
        # a member named "documentation" is an object
        names = [name for name, value in part.items() if name != "documentation" or not isinstance(value, str)]
        return {name: _undocumented(part[name]) for name in names}
    return part


if __name__ == "__main__":
    keep_only(json.loads(Path(sys.argv[2]).read_text()), Path(sys.argv[1]))
