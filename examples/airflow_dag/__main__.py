"""`python -m examples.airflow_dag`: Airflow runs a DAG that trains through the queue of a local account.

It starts the account and leaves nothing behind. Airflow has a separate environment: `make setup-airflow`.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sagemaker.sklearn import SKLearn

from local_account import AccountError, LocalAccount, Settings, free_port
from sagequeue import QueueSession
from sagequeue.sdks.adapters import request_of

CHECKOUT = Path(__file__).parents[2]
PYTHON = CHECKOUT / ".venvs/airflow/bin/python"
INSTANCE_TYPE = "ml.m5.large"


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that the account is stopped then, too
    if not PYTHON.exists():
        sys.exit("Airflow is not installed. Install it: make setup-airflow")
    settings = Settings(port=free_port(), sagemaker_port=free_port(), startup_seconds=1, budget=f"{INSTANCE_TYPE}=1")
    try:
        with TemporaryDirectory() as home, LocalAccount(settings, home=Path(home)) as account:
            os.environ.update(account.env())
            run = run_dag(Path(home))
    except AccountError as error:
        sys.exit(f"The example failed: {error}")
    if run.returncode:
        sys.exit(f"The run of the DAG failed:\n{run.stdout}")
    print(next(line for line in run.stdout.splitlines() if " has the accuracy " in line))


def run_dag(home: Path) -> subprocess.CompletedProcess[str]:
    """Runs the DAG once in the account of the environment. Airflow keeps its database in `home`."""
    file = home / "request.json"
    file.write_text(json.dumps(_request()))
    airflow = {
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(Path(__file__).parent),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "REQUEST": str(file),
    }
    migrate = (PYTHON, "-m", "airflow", "db", "migrate")
    subprocess.run(migrate, env={**os.environ, **airflow}, check=True, capture_output=True)  # noqa: S603 - our own
    command = (PYTHON, Path(__file__).with_name("dag.py"))
    return subprocess.run(  # noqa: S603 - our own
        command,
        env={**os.environ, **airflow},
        cwd=home,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def _request() -> dict[str, object]:
    """Returns the request that SageMaker's SDK would send."""
    estimator = SKLearn(
        entry_point="train.py",
        source_dir=str(CHECKOUT / "examples/digits"),
        framework_version="1.2-1",
        role="SageMakerLocalRole",
        instance_type=INSTANCE_TYPE,
        instance_count=1,
        hyperparameters={"epochs": 3},
        metric_definitions=[{"Name": "accuracy", "Regex": "done: accuracy ([0-9.]+)"}],
        sagemaker_session=QueueSession(),
    )
    return request_of(estimator, job_name="digits")


if __name__ == "__main__":
    main()
