"""The settings of the stack, as the functions see them: environment variables made by template.yaml."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scheduler.domain.budget import Budget
from scheduler.errors import BadSetting

_NAME_MARK = re.compile(r"[a-z][a-z0-9]{1,7}")


@dataclass(frozen=True, slots=True)
class Settings:
    table_name: str
    body_bucket: str
    budget: Budget
    name_mark: str

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "Settings":
        """Raises BadSetting, which names the variable."""
        name_mark = _required(env, "NAME_MARK")
        if not _NAME_MARK.fullmatch(name_mark):
            raise BadSetting("NAME_MARK", f"{name_mark!r} is not 2 to 8 lower-case letters and digits")
        return cls(
            table_name=_required(env, "TABLE_NAME"),
            body_bucket=_required(env, "BODY_BUCKET"),
            budget=Budget.parse(_required(env, "INSTANCE_BUDGET")),
            name_mark=name_mark,
        )


def _required(env: Mapping[str, str], name: str) -> str:
    try:
        return env[name]
    except KeyError as error:
        raise BadSetting(name, "is not set") from error
