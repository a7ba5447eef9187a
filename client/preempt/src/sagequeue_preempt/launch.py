"""Values that the queue gives a training job at its launch: the variables SAGEQUEUE_* of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DEFAULT_FOLDER = "/opt/ml/checkpoints"
DEFAULT_POLL_SECONDS = 15.0


@dataclass(frozen=True)
class Place:
    """An object of S3, or a prefix."""

    bucket: str
    key: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.key}"

    @classmethod
    def parse(cls, uri: str | None) -> Place | None:
        """Returns None for a URI that is absent or has another form: then the library works without the queue."""
        scheme, _, rest = (uri or "").partition("://")
        bucket, _, key = rest.partition("/")
        return cls(bucket, key) if scheme == "s3" and bucket and key else None


@dataclass(frozen=True)
class Launch:
    """Without a queue, the job has no attempt and no places; `folder` has its default."""

    attempt: str | None
    is_training_job: bool  # of SageMaker, with or without the queue
    region: str | None
    stop: Place | None
    acknowledgement: Place | None
    upload: Place | None  # where SageMaker copies the checkpoints to
    folder: Path  # where the job writes them
    poll_seconds: float  # between two reads of `stop`

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Launch:
        return cls(
            attempt=environ.get("SAGEQUEUE_ATTEMPT"),
            is_training_job="SAGEQUEUE_ATTEMPT" in environ or "TRAINING_JOB_NAME" in environ,  # SageMaker sets it
            region=environ.get("SAGEQUEUE_REGION") or environ.get("AWS_REGION"),
            stop=Place.parse(environ.get("SAGEQUEUE_STOP_URI")),
            acknowledgement=Place.parse(environ.get("SAGEQUEUE_ACK_URI")),
            upload=Place.parse(environ.get("SAGEQUEUE_CHECKPOINT_URI")),
            folder=Path(environ.get("SAGEQUEUE_CHECKPOINT_PATH") or DEFAULT_FOLDER),
            poll_seconds=float(environ.get("SAGEQUEUE_POLL_SECONDS") or DEFAULT_POLL_SECONDS),
        )
