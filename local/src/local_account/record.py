"""The file that keeps the account's settings and server process ids between commands."""

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from local_account.settings import Settings


@dataclass(frozen=True)
class Record:
    settings: Settings = field(default_factory=Settings)
    pids: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> "Record":
        if not path.exists():
            return cls()
        stored = json.loads(path.read_text())
        known = {setting.name for setting in fields(Settings)}  # another commit may have had other settings
        settings = {name: value for name, value in stored["settings"].items() if name in known}
        return cls(Settings(**settings), stored["pids"])

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".new")
        unfinished.write_text(json.dumps(asdict(self), indent=2))
        unfinished.replace(path)
