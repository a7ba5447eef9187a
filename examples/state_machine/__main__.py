"""`python -m examples.state_machine`: a state machine trains three models through the queue, and picks the best.

It starts a local account and leaves nothing behind. Exit status 0 means that the state machine succeeded.
"""

import json
import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import boto3
from examples.state_machine import deployment
from sagemaker.sklearn import SKLearn
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from local_account import AccountError, LocalAccount, Settings, free_port
from sagequeue import QueueSession
from sagequeue.sdks.adapters import request_of

SCRIPTS = Path(__file__).parents[1] / "digits"
INSTANCE_TYPE = "ml.m5.large"
#: The models differ in the length of their training. The third waits for the first two.
EPOCHS = {"digits-short": 1, "digits-medium": 4, "digits-long": 12}
INSTANCES = 2
TIMEOUT_SECONDS = 600
POLL_SECONDS = 2


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that the account is stopped then, too
    settings = Settings(
        port=free_port(),
        sagemaker_port=free_port(),
        startup_seconds=1,
        budget=f"{INSTANCE_TYPE}={INSTANCES}",
        parameters={"Callbacks": "on"},
    )
    try:
        with TemporaryDirectory() as home, LocalAccount(settings, home=Path(home)) as account:
            os.environ.update(account.env())
            best = train()
    except AccountError as error:
        sys.exit(f"The example failed: {error}")
    print(f"the best of {len(EPOCHS)} models: {best['job']}, accuracy {best['metrics']['accuracy']:.3f}")
    print(f"it is in {best['model_artifacts']}")


def train() -> dict[str, Any]:
    """Runs the state machine in the account of the environment. Returns the outcome of the best model."""
    machine, states = deployment.create(), boto3.client("stepfunctions")
    started = states.start_execution(stateMachineArn=machine, input=json.dumps({"requests": requests()}))
    print("the state machine has started; the queue trains two models at a time", flush=True)
    patiently = Retrying(
        stop=stop_after_delay(TIMEOUT_SECONDS),
        wait=wait_fixed(POLL_SECONDS),
        retry=retry_if_result(lambda found: found["status"] == "RUNNING"),
    )
    ended = patiently(states.describe_execution, executionArn=started["executionArn"])
    if ended["status"] != "SUCCEEDED":
        sys.exit(f"The state machine ended: {ended['status']}, {ended.get('error')}: {ended.get('cause')}")
    best: dict[str, Any] = json.loads(ended["output"])
    return best


def requests() -> list[dict[str, Any]]:
    """Returns the requests that SageMaker's SDK would send."""
    session = QueueSession()
    return [request_of(_estimator(epochs, session), job_name=name) for name, epochs in EPOCHS.items()]


def _estimator(epochs: int, session: QueueSession) -> SKLearn:
    return SKLearn(
        entry_point="train.py",
        source_dir=str(SCRIPTS),
        framework_version="1.2-1",
        role="SageMakerLocalRole",
        instance_type=INSTANCE_TYPE,
        instance_count=1,
        hyperparameters={"epochs": epochs},
        metric_definitions=[{"Name": "accuracy", "Regex": "done: accuracy ([0-9.]+)"}],
        sagemaker_session=session,
    )


if __name__ == "__main__":
    main()
