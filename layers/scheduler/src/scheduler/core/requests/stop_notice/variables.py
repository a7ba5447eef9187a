"""Defines the environment variables that point a program to its attempt, its stop notice and its checkpoints."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Prefixes of keys in the stack's bucket. Each is followed by the name of an attempt.
STOPS, ACKNOWLEDGEMENTS = "stops/", "acks/"
#: The queue replaces or removes users' values of these variables: a copied request may have another attempt's values.
NAMES = frozenset(
    {
        "SAGEQUEUE_ATTEMPT",
        "SAGEQUEUE_REGION",
        "SAGEQUEUE_STOP_URI",
        "SAGEQUEUE_ACK_URI",
        "SAGEQUEUE_CHECKPOINT_PATH",
        "SAGEQUEUE_CHECKPOINT_URI",
    }
)
#: SageMaker's limits on Environment (aws-facts 2.30).
_MOST_ENTRIES, _LONGEST_VALUE = 100, 512
#: SageMaker's default for CheckpointConfig.LocalPath.
_DEFAULT_PATH = "/opt/ml/checkpoints"


@dataclass(frozen=True, slots=True)
class NoticeBucket:
    name: str
    region: str

    def variables(self, attempt_name: str, request: Mapping[str, Any]) -> dict[str, str]:
        """Returns the variables for an attempt with this request.

        Returns none if the program saves no checkpoints, if it has no network, or if SageMaker would refuse so many or
        such long variables.
        """
        checkpoints = request.get("CheckpointConfig", {})
        if "S3Uri" not in checkpoints or request.get("EnableNetworkIsolation"):
            return {}
        variables = {
            "SAGEQUEUE_ATTEMPT": attempt_name,
            "SAGEQUEUE_REGION": self.region,
            "SAGEQUEUE_STOP_URI": f"s3://{self.name}/{STOPS}{attempt_name}",
            "SAGEQUEUE_ACK_URI": f"s3://{self.name}/{ACKNOWLEDGEMENTS}{attempt_name}",
            "SAGEQUEUE_CHECKPOINT_PATH": checkpoints.get("LocalPath", _DEFAULT_PATH),
            "SAGEQUEUE_CHECKPOINT_URI": checkpoints["S3Uri"],
        }
        is_too_long = any(len(value) > _LONGEST_VALUE for value in variables.values())
        is_too_much = len(request.get("Environment", {}).keys() | variables.keys()) > _MOST_ENTRIES
        return {} if is_too_long or is_too_much else variables


def with_variables(request: Mapping[str, Any], variables: Mapping[str, str]) -> dict[str, Any]:
    """Returns the request with these variables, and without the queue's earlier values for them.

    Without variables, the attempt gets no notice. Its program still learns where it must save.
    """
    given = request.get("Environment", {})
    kept = {name: value for name, value in given.items() if name not in NAMES}
    added = variables or _other_folder(request, len(kept))
    return {**request, "Environment": {**kept, **added}} if given or added else dict(request)


def _other_folder(request: Mapping[str, Any], entries: int) -> dict[str, str]:
    """Returns the variable with the checkpoint folder, unless it is the folder that programs use by default."""
    folder = request.get("CheckpointConfig", {}).get("LocalPath", _DEFAULT_PATH)
    is_needed, fits = folder != _DEFAULT_PATH, entries < _MOST_ENTRIES and len(folder) <= _LONGEST_VALUE
    return {"SAGEQUEUE_CHECKPOINT_PATH": folder} if is_needed and fits else {}
