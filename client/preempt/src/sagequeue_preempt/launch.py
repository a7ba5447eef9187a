"""Reads the values that the queue passes to a training job in the environment variables SAGEQUEUE_*."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DEFAULT_FOLDER = "/opt/ml/checkpoints"
DEFAULT_POLL_SECONDS = 15.0


@dataclass(frozen=True)
class Place:
    """An S3 object, or a prefix."""

    bucket: str
    key: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.key}"

    @classmethod
    def parse(cls, uri: str | None) -> Place | None:
        """Parses an S3 URI.

        Returns None if the URI is absent or has another form; the library then works without the queue.
        """
        scheme, _, rest = (uri or "").partition("://")
        bucket, _, key = rest.partition("/")
        return cls(bucket, key) if scheme == "s3" and bucket and key else None


@dataclass(frozen=True)
class Launch:
    """The values of one launch. Without a queue, there is no attempt and no S3 place, and `folder` is the default."""

    attempt: str | None
    is_training_job: bool  # of SageMaker, with or without the queue
    region: str | None
    stop: Place | None
    acknowledgement: Place | None
    upload: Place | None  # the prefix to which SageMaker copies the checkpoints
    folder: Path  # the folder in which the job writes them
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
