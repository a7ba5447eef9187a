"""Applies the file that a stack's deployment names, and returns to the previous file when the stack is rolled back.

CloudFormation rolls back with another update, which has the previous properties. The event does not say whether the
update is a rollback, so the same rules apply to rollbacks and to other deployments:

- The file that the stack deployed last is not applied again, unless Force is set to replace other people's changes.
- The file that the last deployment replaced undoes that deployment. Other people's later changes are kept.
- Any other file is applied, unless other people have changed the configuration since the last deployment. With Force,
it is applied even then.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from scheduler.config.editor import ConfigEditor
from scheduler.core.configuration.configuration import ConfigVersion, Deployment
from scheduler.core.configuration.kinds import Stack
from scheduler.errors.config_errors import BadConfig, DeploymentRefused, StaleVersion
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock

#: How many times a deployment is tried. It is tried again if somebody else applies a version in the meantime.
_TRIES = 3
_SHORT = 12  # how many digits of a digest messages show
#: The number of recent versions that are searched for changes by others since the last deployment.
_MOST_SEARCHED = 20

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeployedFile:
    """The file that a stack's deployment names."""

    digest: str  # SHA-256, in hexadecimal digits
    fetch: Callable[[], bytes]  # raises DeploymentRefused
    digest_before: str = ""  # digest of the file that the stack named before this event
    is_forced: bool = False  # whether it replaces changes by others

    def text(self) -> str:
        """Returns the file's text. Raises DeploymentRefused if it cannot be fetched or read, or has another digest."""
        content = self.fetch()
        found = sha256(content).hexdigest()
        if found != self.digest:
            remedy = "Upload the file again, then deploy with its SHA-256 digest (sha256sum FILE)."
            raise DeploymentRefused(
                f"The file has the digest {_short(found)}, but the deployment names {_short(self.digest)}. {remedy}"
            )
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise DeploymentRefused(f"The file is not UTF-8 text: {error.reason} at byte {error.start}.") from error


def check_first(file: DeployedFile, stack: Stack, clock: Clock) -> None:
    """Checks a new stack's file, when there is no table or configuration yet. Raises DeploymentRefused or BadConfig."""
    ConfigEditor(ConfigurationReader(_NoVersions(), stack), clock).change(file.text())


@dataclass(frozen=True, slots=True)
class Deployments:
    editor: ConfigEditor
    stack: str  # its name

    def deploy(self, file: DeployedFile) -> ConfigVersion:
        """Deploys the file, and returns the current version. Raises DeploymentRefused, BadConfig or StaleVersion."""
        for _ in range(_TRIES - 1):
            try:
                return self._deploy(file)
            except StaleVersion:
                logger.info("another version was applied meanwhile")
        return self._deploy(file)

    def _deploy(self, file: DeployedFile) -> ConfigVersion:
        in_force, _ = self.editor.reader.in_force()
        deployed = in_force.deployed
        if file.digest == deployed.digest:
            # If the stack named another file before, that file was refused, and this event is its rollback. Force then
            # belongs to an earlier deployment, and must not apply the file again.
            repeats = file.is_forced and file.digest_before in {"", file.digest}
            return self._apply(file) if repeats else in_force
        if file.digest == deployed.digest_before:
            return self._go_back(file, in_force)
        return self._apply(file)

    def _apply(self, file: DeployedFile) -> ConfigVersion:
        change = self.editor.change(file.text())
        replaced, other = change.in_force.deployed, self._by_others(change.in_force)
        if other and change.changed and not file.is_forced:
            raise DeploymentRefused(_drift(other))
        before = replaced.digest if replaced.digest != file.digest else ""
        deployed = Deployment(change.newest + 1, file.digest, before)
        comment = f"Deployed with digest {_short(file.digest)}"
        return self.editor.apply(change, self._author, change.newest, comment, deployed)

    def _go_back(self, file: DeployedFile, in_force: ConfigVersion) -> ConfigVersion:
        """Undoes the last deployment. With Force, the file then replaces other people's changes if possible."""
        undone = self._undo(file, in_force)
        if not file.is_forced:
            return undone
        try:
            return self._apply(file)
        except (BadConfig, DeploymentRefused) as error:
            logger.warning(
                "the last deployment was undone, but the file cannot be applied", extra={"cause": str(error)}
            )
            return undone

    def _undo(self, file: DeployedFile, in_force: ConfigVersion) -> ConfigVersion:
        """Undoes the last deployment.

        This needs neither the file nor Force, even if other people have made changes since.
        """
        undone = in_force.deployed
        change = self.editor.undo(undone.version)
        # Later changes by others remain theirs: the next deployment does not replace them without Force.
        version = undone.version if self._by_others(in_force) else change.newest + 1
        comment = f"Went back to digest {_short(file.digest)}: version {undone.version} was undone"
        return self.editor.apply(change, self._author, change.newest, comment, Deployment(version, file.digest))

    def _by_others(self, in_force: ConfigVersion) -> ConfigVersion | None:
        """Returns the latest version that other people applied since the stack's last deployment, readable or not."""
        versions, since = self.editor.reader.store.latest(_MOST_SEARCHED), in_force.deployed.version
        return next((found for found in versions if found.version > since and found.author != self._author), None)

    @property
    def _author(self) -> str:
        return f"stack {self.stack}"


class _NoVersions:
    """The ConfigStore for a stack that has no table yet."""

    def latest(self, limit: int = 1, before: int | None = None) -> list[ConfigVersion]:  # noqa: ARG002 - as the store
        return []

    def get(self, version: int) -> ConfigVersion | None:  # noqa: ARG002 - as the store
        return None

    def add(self, version: ConfigVersion, *, by: str) -> None:
        raise NotImplementedError


def _short(digest: str) -> str:
    return f"{digest[:_SHORT]}…"


def _drift(other: ConfigVersion) -> str:
    time = f" at {other.applied_at:%Y-%m-%d %H:%M} UTC" if other.applied_at else ""
    return (
        f"{other.author or 'Somebody'} applied version {other.version} of the configuration{time}, after the stack's"
        " last deployment. Compare (sagequeue config plan FILE), and add those changes to the file. Or deploy with"
        " ForceConfiguration=yes to replace them."
    )
