"""`python -m examples.pipeline`: a pipeline trains a model through the queue, then evaluates it in a second step.

It starts a local account and leaves nothing behind. Exit status 0 means that the pipeline succeeded.
"""

import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from botocore.exceptions import WaiterError
from examples.pipeline import deployment
from sagemaker.sklearn import SKLearn
from sagemaker.workflow.parameters import ParameterString
from sagemaker.workflow.pipeline import Pipeline

from local_account import AccountError, LocalAccount, Settings, free_port
from sagequeue import QueueSession
from sagequeue.sdks.adapters import request_of
from sagequeue.sdks.pipelines import QueuedTrainingStep

SCRIPTS = Path(__file__).parents[1] / "digits"
ROLE = "arn:aws:iam::000000000000:role/SageMakerLocalRole"
INSTANCE_TYPE = "ml.m5.large"
POLL_SECONDS, MOST_POLLS = 2, 300
EPOCHS = ParameterString("Epochs", default_value="4")


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that the account is stopped then, too
    settings = Settings(
        port=free_port(),
        sagemaker_port=free_port(),
        startup_seconds=1,
        budget=f"{INSTANCE_TYPE}=1",
        parameters={"Callbacks": "on"},
    )
    try:
        with TemporaryDirectory() as home, LocalAccount(settings, home=Path(home)) as account:
            os.environ.update(account.env())
            outputs = run()
    except AccountError as error:
        sys.exit(f"The example failed: {error}")
    print(f"{outputs['Train']['job']} has the accuracy {float(outputs['Train']['accuracy']):.3f}")
    print(f"{outputs['Evaluate']['job']} counted {float(outputs['Evaluate']['misread']):.0f} misread digits")


def run(epochs: str = "8") -> dict[str, dict[str, str]]:
    """Runs the pipeline in the account of the environment. Returns the outputs of each step."""
    session = QueueSession()
    url = deployment.create(session.default_bucket())
    pipeline = Pipeline("digits", parameters=[EPOCHS], steps=steps(session, url), sagemaker_session=session)
    pipeline.create(ROLE)
    execution = pipeline.start({"Epochs": epochs})
    print("the pipeline has started; each of its steps trains through the queue", flush=True)
    try:
        execution.wait(delay=POLL_SECONDS, max_attempts=MOST_POLLS)
    except WaiterError as error:
        sys.exit(f"The pipeline has failed: {execution.describe().get('FailureReason', error)}")
    ended = {step["StepName"]: step["Metadata"]["Callback"] for step in execution.list_steps()}
    return {
        name: {output["Name"]: output["Value"] for output in callback["OutputParameters"]}
        for name, callback in ended.items()
    }


def steps(session: QueueSession, url: str) -> list[QueuedTrainingStep]:
    training = _request(session, "train.py", "digits", "accuracy", "done: accuracy ([0-9.]+)")
    training["HyperParameters"]["epochs"] = EPOCHS
    train = QueuedTrainingStep("Train", request=training, sqs_queue_url=url, metrics=["accuracy"])
    evaluation = _request(session, "evaluate.py", "digits-evaluation", "misread", "misread ([0-9]+)")
    evaluation["InputDataConfig"] = [_channel("model", train.model_artifacts)]
    evaluate = QueuedTrainingStep("Evaluate", request=evaluation, sqs_queue_url=url, metrics=["misread"])
    return [train, evaluate]


def _request(session: QueueSession, script: str, job_name: str, metric: str, regex: str) -> dict[str, Any]:
    """Returns the request that SageMaker's SDK would send."""
    estimator = SKLearn(
        entry_point=script,
        source_dir=str(SCRIPTS),
        framework_version="1.2-1",
        role=ROLE,
        instance_type=INSTANCE_TYPE,
        instance_count=1,
        metric_definitions=[{"Name": metric, "Regex": regex}],
        sagemaker_session=session,
    )
    return request_of(estimator, job_name=job_name)


def _channel(name: str, location: Any) -> dict[str, Any]:
    source = {"S3DataType": "S3Prefix", "S3Uri": location, "S3DataDistributionType": "FullyReplicated"}
    return {"ChannelName": name, "DataSource": {"S3DataSource": source}}


if __name__ == "__main__":
    main()
