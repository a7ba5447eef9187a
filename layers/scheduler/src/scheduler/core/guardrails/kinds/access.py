"""Rules about a job's encryption keys, execution role, image, output locations and network."""

from collections.abc import Iterator

from scheduler.core.guardrails.rules import AllowList, Breach, Rule, kind
from scheduler.core.guardrails.subject import Subject, matches_any
from scheduler.core.jobs.work.definitions import REMOTE_DEBUG
from scheduler.core.jobs.work.evaluators import evaluators_in
from scheduler.core.sections.strict_structure import check_field

_IMAGE = "AlgorithmSpecification.TrainingImage"
#: S3 locations that a job writes to: model, checkpoints, debugger, profiler and TensorBoard output.
_OUTPUTS = (
    "OutputDataConfig.S3OutputPath",
    "CheckpointConfig.S3Uri",
    "DebugHookConfig.S3OutputPath",
    "ProfilerConfig.S3OutputPath",
    "TensorBoardOutputConfig.S3OutputPath",
)


@kind("kms_keys")
class KmsKeys(Rule):
    """Requires encryption keys that match these patterns.

    Instance types with local disks take no volume key: use `applies_to` to exclude them.
    """

    volume: tuple[str, ...] = ()
    output: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_field("volume", self.volume or self.output, "and output are both missing: the rule requires nothing")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        yield from _key_breaches("ResourceConfig.VolumeKmsKeyId", subject, self.volume)
        yield from _key_breaches("OutputDataConfig.KmsKeyId", subject, self.output)


def _key_breaches(path: str, subject: Subject, allowed: tuple[str, ...]) -> Iterator[Breach]:
    key = subject.at(path)
    remedy = f"Use one of {', '.join(allowed)}."
    if allowed and not key:
        yield Breach(path, "No encryption key is given", remedy)
    elif allowed and not matches_any(key, allowed):
        yield Breach(path, "The key is not allowed", remedy)


@kind("execution_roles")
class ExecutionRoles(AllowList):
    """Allows roles whose ARNs match these patterns. `applies_to` gives each team its own roles (aws-facts 5.1, 5.2)."""

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        role = subject.at("RoleArn") or ""
        if not matches_any(role, self.allowed):
            yield Breach("RoleArn", "The execution role is not allowed", f"Use one of {', '.join(self.allowed)}.")


@kind("images")
class Images(AllowList):
    """Allows images that match patterns such as 123456789012.dkr.ecr.*.amazonaws.com/*."""

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        image = subject.at(_IMAGE)
        remedy = f"Use an image such as {', '.join(self.allowed)}."
        if not image:
            yield Breach(_IMAGE, "No image is given", remedy)
        for path, given in [(_IMAGE, image), *_in_evaluators("RuleEvaluatorImage", subject)]:
            if given and not matches_any(given, self.allowed):
                yield Breach(path, "The image is not from an allowed registry", remedy)


@kind("output_prefixes")
class OutputPrefixes(Rule):
    allowed: tuple[str, ...]  # S3 URIs; allows locations below them, comparing whole path segments

    def __post_init__(self) -> None:
        are_prefixes = self.allowed and all(prefix.startswith("s3://") for prefix in self.allowed)
        check_field("allowed", are_prefixes, "must have at least one prefix such as s3://bucket/team")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        outputs = [(path, subject.at(path)) for path in _OUTPUTS]
        for path, uri in [*outputs, *_in_evaluators("S3OutputPath", subject)]:
            if uri and not any(lies_below(uri, prefix) for prefix in self.allowed):
                remedy = f"Use one of {', '.join(self.allowed)}."
                yield Breach(path, "The job writes outside the allowed prefixes", remedy)


def _in_evaluators(member: str, subject: Subject) -> Iterator[tuple[str, str | None]]:
    return ((f"{path}.{member}", evaluator.get(member)) for path, evaluator in evaluators_in(subject.request))


def lies_below(uri: str, prefix: str) -> bool:
    """Returns whether the URI is the S3 URI `prefix` or lies below it, comparing whole path segments."""
    return f"{uri.rstrip('/')}/".startswith(f"{prefix.rstrip('/')}/")


_ISOLATION = "EnableNetworkIsolation"
_ENCRYPTION = "EnableInterContainerTrafficEncryption"


@kind("vpc")
class Vpc(Rule):
    """Requires a VPC, and allows only subnets and security groups that match these patterns."""

    subnets: tuple[str, ...] = ("*",)
    security_groups: tuple[str, ...] = ("*",)

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at("VpcConfig"):
            remedy = "Add VpcConfig with Subnets and SecurityGroupIds."
            yield Breach("VpcConfig", "The job does not run in a VPC", remedy)
            return
        yield from _entries_not_allowed("VpcConfig.Subnets", "The subnet", subject, self.subnets)
        yield from _entries_not_allowed(
            "VpcConfig.SecurityGroupIds", "The security group", subject, self.security_groups
        )


def _entries_not_allowed(path: str, what: str, subject: Subject, allowed: tuple[str, ...]) -> Iterator[Breach]:
    for index, entry in enumerate(subject.at(path) or ()):
        if not matches_any(entry, allowed):
            yield Breach(f"{path}[{index}]", f"{what} is not allowed", f"Use only {', '.join(allowed)}.")


@kind("network_isolation")
class NetworkIsolation(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at(_ISOLATION):
            yield Breach(_ISOLATION, "The job's containers can access the network", f"Set {_ISOLATION} to true.")


@kind("traffic_encryption")
class TrafficEncryption(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at(_ENCRYPTION):
            message = "Traffic between the job's containers is not encrypted"
            yield Breach(_ENCRYPTION, message, f"Set {_ENCRYPTION} to true.")


@kind("no_remote_debug")
class NoRemoteDebug(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if subject.at(REMOTE_DEBUG):
            message = "Remote debugging would allow a shell in the job's containers"
            yield Breach(REMOTE_DEBUG, message, f"Set {REMOTE_DEBUG} to false.")
