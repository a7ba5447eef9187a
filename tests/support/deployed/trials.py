"""The trials of a tuner on the deployed account. Programs for every SDK import this module."""

from pathlib import Path
from uuid import uuid4

TRIALS, PARALLEL = 6, 2
METRIC = {"Name": "accuracy", "Regex": "accuracy=([0-9.]+)"}
#: A trial ends once it has taken a permit. So on a machine of any speed, a preemption hits the tuner midway.
_SCRIPT = """
import argparse, os, pathlib, time
parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float)
parser.add_argument("--permits", type=pathlib.Path)
options, _ = parser.parse_known_args()
while True:
    try:
        next(options.permits.iterdir()).unlink()
        break
    except (StopIteration, FileNotFoundError):  # none is left, or another trial has taken it
        time.sleep(0.2)
print(f"accuracy={1 - options.rate:.6f}", flush=True)
with open(os.path.join(os.environ["SM_MODEL_DIR"], "rate"), "w") as model:
    model.write(str(options.rate))
"""


class TrialScript:
    """The trials' script in a new folder, and the permits that let trials end."""

    def __init__(self, folder: Path) -> None:
        self.source, self.permits = folder / "source", folder / "permits"
        for created in (self.source, self.permits):
            created.mkdir()
        (self.source / "train.py").write_text(_SCRIPT)

    def permit(self, trials: int) -> None:
        for _ in range(trials):
            (self.permits / uuid4().hex).touch()
