"""Runs `count.py` as a processing job. Only the session differs from a program without the queue."""

from pathlib import Path

from sagemaker.processing import ProcessingOutput, ScriptProcessor
from sagemaker.s3 import S3Downloader

from sagequeue import QueueSession

SCRIPT = Path(__file__).with_name("count.py")
FOLDER = "/opt/ml/processing/output"
INSTANCE_TYPE = "ml.m5.large"


def submit(session: QueueSession, name: str) -> ScriptProcessor:
    processor = ScriptProcessor(
        image_uri="683313688378.dkr.ecr.us-east-1.amazonaws.com/sagemaker-scikit-learn:1.2-1-cpu-py3",
        command=["python3"],
        role="SageMakerLocalRole",
        instance_count=1,
        instance_type=INSTANCE_TYPE,
        sagemaker_session=session,
    )
    counts = ProcessingOutput(source=FOLDER, destination=f"s3://{session.default_bucket()}/{name}")
    processor.run(code=str(SCRIPT), arguments=[FOLDER], outputs=[counts], job_name=name, wait=False)
    return processor


def result(processor: ScriptProcessor) -> tuple[str, str]:
    """Shows the log until the job has completed. Returns the location and the content of its output."""
    job = processor.latest_job
    job.wait(logs=True)
    location = f"{job.outputs[0].destination}/counts.json"
    return location, S3Downloader.read_file(location, processor.sagemaker_session)
