# This environment has no Airflow.
# mypy: disable-error-code="import-not-found, untyped-decorator, misc"
"""A DAG that trains through the queue, then uses the model and its metrics in the next task.

REQUEST names the file with the CreateTrainingJob request. `python dag.py` runs the DAG once, without a scheduler.
"""

import json
import os
from pathlib import Path
from typing import Any

from airflow.sdk import dag, task
from sagequeue_airflow.operators import SageQueueTrainingOperator


@dag(schedule=None)
def train_digits() -> None:
    request = json.loads(Path(os.environ["REQUEST"]).read_text())
    train = SageQueueTrainingOperator(
        task_id="train",
        # Each run of the DAG has its own job. A task that is tried again continues with the job of its run.
        request=request | {"TrainingJobName": "digits-{{ ts_nodash | lower }}"},
        job_options={"priority": 5},
        poll_interval=2,
    )

    @task
    def report(result: dict[str, Any]) -> None:
        print(f"{result['job']} has the accuracy {result['metrics']['accuracy']:.3f}: {result['model_artifacts']}")

    report(train.output)


run = train_digits()

if __name__ == "__main__":
    ended = run.test()
    raise SystemExit(ended.state != "success")
