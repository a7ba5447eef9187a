"""Submits a chain of jobs: training uses the model of the preparation, and a report waits for the training's end.

Run it with the request of one job: python examples/chain.py request.json
"""

import json
import sys
from pathlib import Path
from typing import Any

from sagequeue import QueueClient


def main(path: str) -> None:
    request = json.loads(Path(path).read_text())
    name, queue = request["TrainingJobName"], QueueClient()

    def named(step: str) -> dict[str, Any]:
        return {**request, "TrainingJobName": f"{name}-{step}"}

    queue.submit(named("prep"))
    variables = {**request.get("Environment", {}), "PRETRAINED": f"${{jobs.{name}-prep.model}}"}
    queue.submit({**named("train"), "Environment": variables}, {"after_ok": [f"{name}-prep"]})
    queue.submit(named("report"), {"after_any": [f"{name}-train"], "if_never_satisfied": "cancel"})
    for step in ("prep", "train", "report"):
        job = queue.get(f"{name}-{step}")
        print(f"{job['name']}: {job['state']} ({job['reason']['message'] or job['reason']['code']})")


if __name__ == "__main__":
    main(*sys.argv[1:])
