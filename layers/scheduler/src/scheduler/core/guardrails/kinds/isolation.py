"""Rules about a job's network: VPC, isolation, encryption of traffic, remote debugging."""

from collections.abc import Iterator
from dataclasses import dataclass

from scheduler.core.guardrails.job_pattern import matches_any
from scheduler.core.guardrails.rule import Breach, Rule, kind
from scheduler.core.guardrails.subject import Subject

_ISOLATION = "EnableNetworkIsolation"
_ENCRYPTION = "EnableInterContainerTrafficEncryption"
_DEBUG = "RemoteDebugConfig.EnableRemoteDebug"


@kind("vpc")
@dataclass(frozen=True, slots=True, kw_only=True)
class Vpc(Rule):
    """The job must run in a VPC, and only in subnets and security groups that match these patterns."""

    subnets: tuple[str, ...] = ("*",)
    security_groups: tuple[str, ...] = ("*",)

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at("VpcConfig"):
            yield Breach(
                "VpcConfig", "The job does not run in a VPC", "Add VpcConfig with Subnets and SecurityGroupIds."
            )
            return
        yield from _names_not_allowed("VpcConfig.Subnets", subject, self.subnets)
        yield from _names_not_allowed("VpcConfig.SecurityGroupIds", subject, self.security_groups)


def _names_not_allowed(path: str, subject: Subject, allowed: tuple[str, ...]) -> Iterator[Breach]:
    for name in subject.at(path) or ():
        if not matches_any(name, allowed):
            yield Breach(path, f"{name} is not allowed", f"Use only {', '.join(allowed)}.")


@kind("network_isolation")
@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkIsolation(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at(_ISOLATION):
            yield Breach(_ISOLATION, "The job's containers can access the network", f"Set {_ISOLATION} to true.")


@kind("traffic_encryption")
@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficEncryption(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at(_ENCRYPTION):
            message = "Traffic between the job's containers is not encrypted"
            yield Breach(_ENCRYPTION, message, f"Set {_ENCRYPTION} to true.")


@kind("no_remote_debug")
@dataclass(frozen=True, slots=True, kw_only=True)
class NoRemoteDebug(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if subject.at(_DEBUG):
            yield Breach(
                _DEBUG, "Remote debugging would allow a shell in the job's containers", f"Set {_DEBUG} to false."
            )
