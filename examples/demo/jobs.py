"""The four jobs of the demo: one training script, submitted through the SageMaker SDK like any other."""

from dataclasses import dataclass
from pathlib import Path

from sagemaker.sklearn import SKLearn

from sagequeue import QueueSession

SCRIPTS = Path(__file__).parents[1] / "digits"
INSTANCE_TYPE = "ml.m5.large"
INSTANCES = 2
EPOCH_SECONDS = 1


@dataclass(frozen=True)
class Training:
    """The differences between the jobs."""

    name: str
    priority: int
    epochs: int
    color: str


# job4 comes last and has the most epochs, so it still runs when job2 ends and job1 restarts.
JOB1 = Training("job1", priority=1, epochs=25, color="bright_cyan")
JOB2 = Training("job2", priority=2, epochs=25, color="bright_green")
JOB3 = Training("job3", priority=1, epochs=8, color="bright_yellow")
JOB4 = Training("job4", priority=3, epochs=30, color="bright_magenta")
ALL = (JOB1, JOB2, JOB3, JOB4)
COLORS = {training.name: training.color for training in ALL}


def submit(training: Training, session: QueueSession) -> None:
    """Submits the job to the queue. `fit` returns at once."""
    estimator = SKLearn(
        entry_point="train.py",
        source_dir=str(SCRIPTS),
        framework_version="1.2-1",
        role="SageMakerLocalRole",
        instance_type=INSTANCE_TYPE,
        instance_count=1,
        hyperparameters={"epochs": training.epochs, "epoch-seconds": EPOCH_SECONDS},
        checkpoint_s3_uri=f"s3://{session.default_bucket()}/checkpoints/{training.name}",
        tags=[{"Key": "priority", "Value": str(training.priority)}],
        sagemaker_session=session,
    )
    estimator.fit(wait=False, job_name=training.name)
