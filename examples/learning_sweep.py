"""Runs an Optuna study whose trials are jobs in the queue. Run it again to continue a study that was interrupted.

Run it with the request of one job, and the number of trials: python examples/learning_sweep.py request.json 12
"""

import json
import sys
from pathlib import Path
from typing import Any

import optuna

from sagequeue import Sweep


def main(path: str, trials: str) -> None:
    request = json.loads(Path(path).read_text())

    def request_of(trial: optuna.Trial) -> dict[str, Any]:
        rate = trial.suggest_float("rate", 1e-3, 0.9, log=True)
        return {**request, "HyperParameters": {"rate": str(rate)}}

    study = optuna.create_study(study_name="rates", storage="sqlite:///rates.db", load_if_exists=True)
    Sweep(study, request_of, objective="loss=([0-9.]+)", trials=int(trials)).run()
    print("best:", study.best_trial.user_attrs["job"], study.best_params)


if __name__ == "__main__":
    main(*sys.argv[1:])
