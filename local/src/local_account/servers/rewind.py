"""Repair of what ministack forgets when it restarts.

It keeps how far each event source mapping has read its table's stream, but not the stream, which starts again at zero.
A mapping would sleep through as many changes as it had read before; put back to the start, it sees the next one.
"""

import json
from pathlib import Path


def rewind_stream_positions(state: Path) -> None:
    saved = state / "lambda.json"
    if not saved.exists():
        return
    functions = json.loads(saved.read_text())
    positions = functions["payload"]["dynamodb_stream_positions"]["data"]
    positions.update(dict.fromkeys(positions, 0))
    saved.write_text(json.dumps(functions))
