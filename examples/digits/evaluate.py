"""Counts the held-out digits that a trained model classifies wrongly. The model is in the channel `model`."""

from __future__ import annotations  # SageMaker's scikit-learn images run older Pythons

import os
import tarfile
from pathlib import Path

import joblib
from train import digits  # type: ignore[import-not-found] # it is in the same folder


def main() -> None:
    with tarfile.open(Path(os.environ["SM_CHANNEL_MODEL"], "model.tar.gz")) as archive:
        model = joblib.load(archive.extractfile("model.joblib"))
    _, (images, labels) = digits()
    print(f"misread {int((model.predict(images) != labels).sum())} of {len(labels)}", flush=True)


if __name__ == "__main__":
    main()
