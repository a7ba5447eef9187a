"""Trains a digits classifier that survives preemption. Run it twice: the second run resumes."""

import argparse
import time
from pathlib import Path

import joblib
from sklearn.datasets import load_digits
from sklearn.linear_model import SGDClassifier

from sagequeue_preempt import Preemptible

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--step-seconds", type=float, default=0.1)
options = parser.parse_args()

images, digits = load_digits(return_X_y=True)
state = {"model": SGDClassifier(random_state=0)}


def save(path: Path) -> None:  # a folder of its own: write any files
    joblib.dump(state, path / "state.joblib")


def load(path: Path) -> None:  # the same folder, complete
    state.update(joblib.load(path / "state.joblib"))


with Preemptible(every_minutes=10) as job:
    start = job.resume(load)  # the first step to do: 0 without a checkpoint
    print(f"starting at step {start}", flush=True)
    for step in range(start, options.steps):
        batch = slice(step * 32 % 1600, step * 32 % 1600 + 32)
        state["model"].partial_fit(images[batch], digits[batch], classes=range(10))
        time.sleep(options.step_seconds)
        job.step(step, save)  # saves every 10 minutes, and before a stop

print(f"accuracy {state['model'].score(images, digits):.2f}")
