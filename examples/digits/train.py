"""Trains a small neural network on scikit-learn's handwritten digits, one epoch at a time.

An ordinary SageMaker script, without any code for the queue. It survives an interruption because it writes a checkpoint
after each epoch, and continues from it when it starts. SageMaker sends SIGTERM two minutes before SIGKILL; the script
then ends after the current epoch. Without SIGTERM it would lose one epoch at most.
"""

from __future__ import annotations  # SageMaker's scikit-learn images run older Pythons

import argparse
import os
import signal
import time
from pathlib import Path
from typing import Any

import joblib
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

DIGITS = range(10)
BRIGHTEST = 16.0


def main() -> None:
    """Trains from the last checkpoint, if one exists, to the last epoch or to SIGTERM."""
    options = read_options()
    interruption = Interruption()
    training, held_out = digits()
    model, epochs_done = restore(options.checkpoints)
    for epoch in range(epochs_done + 1, options.epochs + 1):
        model.partial_fit(*training, classes=DIGITS)
        time.sleep(options.epoch_seconds)
        save(options.checkpoints, model, epoch)
        print(f"epoch {epoch}/{options.epochs}: accuracy {model.score(*held_out):.3f}", flush=True)
        if interruption.is_requested:
            print(f"interrupted: epoch {epoch} is saved", flush=True)
            return
    joblib.dump(model, options.model_dir / "model.joblib")
    print(f"done: accuracy {model.score(*held_out):.3f}", flush=True)


def read_options() -> argparse.Namespace:
    """Reads hyperparameters from the command line, and directories from SageMaker's environment variables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--epoch-seconds", type=float, default=0.0, help="seconds to wait in each epoch")
    parser.add_argument("--model-dir", type=Path, default=os.environ.get("SM_MODEL_DIR", "/opt/ml/model"))
    # Only the local account sets SM_CHECKPOINT_DIR; SageMaker always has the directory here.
    parser.add_argument("--checkpoints", type=Path, default=os.environ.get("SM_CHECKPOINT_DIR", "/opt/ml/checkpoints"))
    return parser.parse_args()


class Interruption:
    """Records SIGTERM, so that the current epoch is finished and saved."""

    def __init__(self) -> None:
        self.is_requested = False
        signal.signal(signal.SIGTERM, self._note)

    def _note(self, *_: object) -> None:
        self.is_requested = True


def digits() -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Returns the training set and the held-out set, each as images and labels: the same split in every run."""
    images, labels = load_digits(return_X_y=True)
    split = train_test_split(images / BRIGHTEST, labels, test_size=0.2, random_state=0)
    training_images, held_out_images, training_labels, held_out_labels = split
    return (training_images, training_labels), (held_out_images, held_out_labels)


def restore(checkpoints: Path) -> tuple[MLPClassifier, int]:
    """Returns the model, and the number of its completed epochs."""
    checkpoint = checkpoint_file(checkpoints)
    if not checkpoint.exists():
        return MLPClassifier(hidden_layer_sizes=(32,), random_state=0), 0
    model, epoch = joblib.load(checkpoint)
    print(f"resumed from checkpoint: continuing at epoch {epoch + 1}", flush=True)
    return model, epoch


def save(checkpoints: Path, model: MLPClassifier, epoch: int) -> None:
    """Replaces the checkpoint in one step, so that a copy never contains half a file."""
    checkpoints.mkdir(parents=True, exist_ok=True)
    unfinished = checkpoint_file(checkpoints).with_suffix(".unfinished")
    joblib.dump((model, epoch), unfinished)
    unfinished.replace(checkpoint_file(checkpoints))


def checkpoint_file(checkpoints: Path) -> Path:
    return checkpoints / "digits.joblib"


if __name__ == "__main__":
    main()
