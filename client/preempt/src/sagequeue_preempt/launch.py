"""Reads what the environment says about a training job: the queue's values SAGEQUEUE_*, and its ranks and hosts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DEFAULT_FOLDER = "/opt/ml/checkpoints"
DEFAULT_POLL_SECONDS = 15.0
RESOURCE_CONFIG = Path("/opt/ml/input/config/resourceconfig.json")  # SageMaker writes it


@dataclass(frozen=True)
class Place:
    """An S3 object, or a prefix."""

    bucket: str
    key: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.key}"

    @classmethod
    def parse(cls, uri: str | None) -> Place | None:
        """Parses an S3 URI. Without a key, it is the root of a bucket.

        Returns None if the URI is absent or has another form; the library then works without the queue.
        """
        scheme, _, rest = (uri or "").partition("://")
        bucket, _, key = rest.partition("/")
        return cls(bucket, key) if scheme == "s3" and bucket else None


@dataclass(frozen=True)
class Launch:
    """The values of one launch. Without a queue, there is no attempt and no S3 place, and `folder` is the default."""

    attempt: str | None
    is_training_job: bool  # of SageMaker, with or without the queue
    region: str | None
    stop: Place | None
    acknowledgement: Place | None
    checkpoint_uri: str | None  # the prefix to which SageMaker copies the checkpoints
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
            checkpoint_uri=environ.get("SAGEQUEUE_CHECKPOINT_URI"),
            folder=Path(environ.get("SAGEQUEUE_CHECKPOINT_PATH") or DEFAULT_FOLDER),
            poll_seconds=float(environ.get("SAGEQUEUE_POLL_SECONDS") or DEFAULT_POLL_SECONDS),
        )


def sign_of_several_processes(environ: Mapping[str, str]) -> str | None:
    """Returns what shows that the job has several ranks or hosts, for a message; None if it has one process."""
    for name in ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE"):  # of torchrun and of MPI
        if environ.get(name, "1") != "1":
            return f"{name} is {environ[name]}"
    if len(json.loads(environ.get("SM_HOSTS", "[]"))) > 1:  # AWS's framework images set it
        return f"SM_HOSTS is {environ['SM_HOSTS']}"
    hosts = json.loads(RESOURCE_CONFIG.read_text(encoding="utf-8"))["hosts"] if RESOURCE_CONFIG.exists() else []
    return f"{RESOURCE_CONFIG} lists {len(hosts)} hosts" if len(hosts) > 1 else None
