"""The calls to the API about the configuration: show, plan, apply and roll back. QueueClient has all of them."""

from collections.abc import Iterator
from typing import cast
from urllib.parse import quote

from sagequeue.api.transport import SAFE, Connection, with_query
from sagequeue.contract.config import Config, ConfigPlan, ConfigVersion, ConfigVersions


class ConfigCalls(Connection):
    """Makes the API calls about the queue's configuration."""

    def config(self, kind: str | None = None, version: int | None = None) -> Config:
        """Returns the current configuration, or an older version. With `kind`, returns only that section.

        Raises UnknownVersion.
        """
        return cast(Config, self._call("GET", with_query(_config_path(kind), {"version": version})))

    def plan_config(self, text: str, kind: str | None = None) -> ConfigPlan:
        """Returns the effect of a configuration file in YAML or JSON, without applying it. Raises BadConfig.

        With `kind`, the text contains only that section. Without `kind`, it contains a section for each kind to change.
        """
        return cast(ConfigPlan, self._send("POST", _config_path(kind, "plan"), text.encode(), SAFE))

    def apply_config(
        self, text: str, kind: str | None = None, replaces: int | None = None, comment: str = ""
    ) -> Config:
        """Applies a configuration file, in full or not at all. Kinds that it leaves out keep their settings.

        `text` and `kind` are as in `plan_config`. Raises BadConfig, LocksOut, or StaleConfig if `replaces` is not the
        current version.
        """
        path = with_query(_config_path(kind), {"replaces": replaces, "comment": comment or None})
        return cast(Config, self._send("PUT", path, text.encode(), SAFE))

    def config_versions(self, kind: str | None = None) -> Iterator[ConfigVersion]:
        """Yields the versions of the configuration, newest first.

        With `kind`, only the versions that changed that section. Reads further pages as needed.
        """
        token: str | None = None
        while True:
            page = self.version_page(kind, token=token)
            yield from page["versions"]
            token = page["next"]
            if token is None:
                return

    def version_page(self, kind: str | None = None, *, token: str | None = None) -> ConfigVersions:
        """Returns one page of versions. `next` is the token of the next page."""
        return cast(ConfigVersions, self._call("GET", with_query(_config_path(kind, "versions"), {"next": token})))

    def roll_back_config(self, version: int, replaces: int | None = None, comment: str = "") -> Config:
        """Applies an older version again, as a new version.

        Raises UnknownVersion, LocksOut, StaleConfig, or BadConfig if the version no longer fits the stack.
        """
        query = {"version": version, "replaces": replaces, "comment": comment or None}
        return cast(Config, self._call("POST", with_query("/config/rollback", query), if_lost=SAFE))


def _config_path(kind: str | None, verb: str = "") -> str:
    return "/".join(filter(None, ("/config", quote(kind, safe="") if kind else "", verb)))
