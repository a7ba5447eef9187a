"""Replaces a host's file system: holds a training container's directories below the host's own directory."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_CHECKPOINT_PATH = "/opt/ml/checkpoints"


@dataclass(frozen=True, slots=True)
class Sandbox:
    root: Path
    checkpoint_path: str = DEFAULT_CHECKPOINT_PATH  # CheckpointConfig.LocalPath, as inside a container

    def make(self) -> None:
        for folder in (self.code, self.config, self.model, self.output_data, self.checkpoints):
            folder.mkdir(parents=True, exist_ok=True)

    def real_path(self, path: str) -> Path:
        """Returns the real path of a container's absolute path. It is never outside the root."""
        return self.root / os.path.normpath(f"/{path}").lstrip("/")

    def mapped(self, text: str) -> str:
        """Replaces each path below /opt/ml, and the checkpoint path, with the real path."""
        paths = "|".join(re.escape(path) for path in (self.checkpoint_path, "/opt/ml"))
        return re.sub(rf"(?<![\w/.-])({paths})(?![\w.-])", lambda match: str(self.real_path(match[0])), text)

    def write_config(self, name: str, content: dict[str, Any]) -> None:
        (self.config / f"{name}.json").write_text(json.dumps(content))

    @property
    def base(self) -> Path:
        return self.real_path("/opt/ml")

    @property
    def input(self) -> Path:
        return self.base / "input"

    @property
    def config(self) -> Path:
        return self.input / "config"

    @property
    def code(self) -> Path:
        return self.base / "code"

    @property
    def model(self) -> Path:
        return self.base / "model"

    @property
    def output(self) -> Path:
        return self.base / "output"

    @property
    def output_data(self) -> Path:
        return self.output / "data"

    @property
    def failure(self) -> Path:
        return self.output / "failure"

    @property
    def gpu_usage(self) -> Path:
        """The file in which a script may report the utilization of its GPUs."""
        return self.output / "gpu-usage.json"

    @property
    def checkpoints(self) -> Path:
        return self.real_path(self.checkpoint_path)

    def channel(self, name: str) -> Path:
        return self.input / "data" / name
