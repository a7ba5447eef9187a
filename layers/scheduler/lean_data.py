"""Leaves of botocore's data only what the functions use: `python lean_data.py FOLDER SERVICE…`.

Each cold start reads these files. Most of what is in them is documentation, and endpoints of 400 services.
"""

import gzip
import json
import shutil
import sys
from pathlib import Path
from typing import Any


def leave_only(services: set[str], data: Path) -> None:
    for folder in data.iterdir():
        if folder.is_dir() and folder.name not in services:
            shutil.rmtree(folder)
    prefixes = {_without_documentation(model) for model in data.glob("*/*/service-2.json.gz")}
    endpoints = data / "endpoints.json"
    known = json.loads(endpoints.read_bytes())
    for partition in known["partitions"]:
        partition["services"] = {name: of for name, of in partition["services"].items() if name in prefixes}
    endpoints.write_text(json.dumps(known))


def _without_documentation(model: Path) -> str:
    """Writes the model anew; the name that its service has among the endpoints."""
    lean = json.loads(gzip.decompress(model.read_bytes()))
    for part in ("operations", "shapes"):  # of what concerns endpoints botocore reads the documentation
        lean[part] = _undocumented(lean[part])
    model.write_bytes(gzip.compress(json.dumps(lean).encode(), mtime=0))
    prefix: str = lean["metadata"]["endpointPrefix"]
    return prefix


def _undocumented(known: Any) -> Any:
    if isinstance(known, dict):
        # a member of that name is an object
        names = [name for name, value in known.items() if name != "documentation" or not isinstance(value, str)]
        return {name: _undocumented(known[name]) for name in names}
    return known


if __name__ == "__main__":
    leave_only(set(sys.argv[2:]), Path(sys.argv[1]))
