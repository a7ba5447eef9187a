"""Rules about what a job runs, as whom, and where it leaves what."""

from collections.abc import Iterator

from attrs import frozen

from scheduler.core.documents.contradiction import contradiction
from scheduler.core.guardrails.rule import Breach, Rule, kind
from scheduler.core.guardrails.scope import matches_any
from scheduler.core.guardrails.subject import Subject

_IMAGE = "AlgorithmSpecification.TrainingImage"
#: Where a job writes to S3: its model, its checkpoints, what its debugger, profiler and TensorBoard see.
_OUTPUTS = (
    "OutputDataConfig.S3OutputPath",
    "CheckpointConfig.S3Uri",
    "DebugHookConfig.S3OutputPath",
    "ProfilerConfig.S3OutputPath",
    "TensorBoardOutputConfig.S3OutputPath",
)


@kind("kms_keys")
@frozen(kw_only=True)
class KmsKeys(Rule):
    """Patterns of the keys that must encrypt. Types with a disk of their own take no volume key: see `applies_to`."""

    volume: tuple[str, ...] = ()
    output: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        if not self.volume and not self.output:
            raise contradiction("volume", "and output are both missing: nothing would be asked for")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        yield from _other_key("ResourceConfig.VolumeKmsKeyId", subject, self.volume)
        yield from _other_key("OutputDataConfig.KmsKeyId", subject, self.output)


def _other_key(path: str, subject: Subject, allowed: tuple[str, ...]) -> Iterator[Breach]:
    key = subject.at(path)
    remedy = f"Use one of {', '.join(allowed)}."
    if allowed and not key:
        yield Breach(path, "There is no key to encrypt with", remedy)
    elif allowed and not matches_any(key, allowed):
        yield Breach(path, "The key is not one of those allowed", remedy)


@kind("execution_roles")
@frozen(kw_only=True)
class ExecutionRoles(Rule):
    """Who may submit as what: with `applies_to`, each team has its own roles (aws-facts 5.1, 5.2)."""

    allowed: tuple[str, ...]  # patterns of ARNs

    def __attrs_post_init__(self) -> None:
        if not self.allowed:
            raise contradiction("allowed", "is empty: no job could run")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        role = subject.at("RoleArn") or ""
        if not matches_any(role, self.allowed):
            yield Breach("RoleArn", f"{role} is not allowed", f"Use one of {', '.join(self.allowed)}.")


@kind("images")
@frozen(kw_only=True)
class Images(Rule):
    allowed: tuple[str, ...]  # patterns, as 123456789012.dkr.ecr.*.amazonaws.com/*

    def __attrs_post_init__(self) -> None:
        if not self.allowed:
            raise contradiction("allowed", "is empty: no job could run")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        image = subject.at(_IMAGE)
        remedy = f"Use an image such as {', '.join(self.allowed)}."
        if not image:
            yield Breach(_IMAGE, "It names no image", remedy)
        elif not matches_any(image, self.allowed):
            yield Breach(_IMAGE, "Its image is not from an allowed registry", remedy)


@kind("output_prefixes")
@frozen(kw_only=True)
class OutputPrefixes(Rule):
    allowed: tuple[str, ...]  # S3 URIs; what lies below them, by whole path segments

    def __attrs_post_init__(self) -> None:
        if not self.allowed or not all(prefix.startswith("s3://") for prefix in self.allowed):
            raise contradiction("allowed", "must hold prefixes such as s3://bucket/team, at least one")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        for path in _OUTPUTS:
            uri = subject.at(path)
            if uri and not any(lies_below(uri, prefix) for prefix in self.allowed):
                yield Breach(path, "It writes outside the allowed prefixes", f"Use one of {', '.join(self.allowed)}.")


def lies_below(uri: str, prefix: str) -> bool:
    """Whether it is the S3 URI `prefix` or in it, by whole path segments."""
    return f"{uri.rstrip('/')}/".startswith(f"{prefix.rstrip('/')}/")
