"""Rules about what a job can reach, and who can reach it."""

from collections.abc import Iterator

from attrs import frozen

from scheduler.core.guardrails.rule import Breach, Rule, kind
from scheduler.core.guardrails.scope import matches_any
from scheduler.core.guardrails.subject import Subject

_ISOLATION = "EnableNetworkIsolation"
_ENCRYPTION = "EnableInterContainerTrafficEncryption"
_DEBUG = "RemoteDebugConfig.EnableRemoteDebug"


@kind("vpc")
@frozen(kw_only=True)
class Vpc(Rule):
    """The job must run in a VPC; where patterns are given, only in these subnets and security groups."""

    subnets: tuple[str, ...] = ("*",)
    security_groups: tuple[str, ...] = ("*",)

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at("VpcConfig"):
            yield Breach("VpcConfig", "It does not run in a VPC", "Give VpcConfig with Subnets and SecurityGroupIds.")
            return
        yield from _outside("VpcConfig.Subnets", subject, self.subnets)
        yield from _outside("VpcConfig.SecurityGroupIds", subject, self.security_groups)


def _outside(path: str, subject: Subject, allowed: tuple[str, ...]) -> Iterator[Breach]:
    for one in subject.at(path) or ():
        if not matches_any(one, allowed):
            yield Breach(path, f"{one} is not allowed", f"Use only {', '.join(allowed)}.")


@kind("network_isolation")
@frozen(kw_only=True)
class NetworkIsolation(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at(_ISOLATION):
            yield Breach(_ISOLATION, "Its containers can reach the network", f"Set {_ISOLATION} to true.")


@kind("traffic_encryption")
@frozen(kw_only=True)
class TrafficEncryption(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if not subject.at(_ENCRYPTION):
            message = "What its containers send to each other is not encrypted"
            yield Breach(_ENCRYPTION, message, f"Set {_ENCRYPTION} to true.")


@kind("no_remote_debug")
@frozen(kw_only=True)
class NoRemoteDebug(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if subject.at(_DEBUG):
            yield Breach(_DEBUG, "People could open a shell in its containers", f"Set {_DEBUG} to false.")
