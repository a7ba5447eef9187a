"""Runs the steps of CI systems in bash, with recorded commands in place of those that reach the CI system."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

#: Writes its arguments, one a line, to a file with its name.
_RECORDER = '#!/bin/sh\nfor word; do echo "$word"; done >> "{log}"\n'


@dataclass(frozen=True, slots=True)
class Shell:
    """A runner's shell in a separate folder. The folder has the request, as a checkout has."""

    folder: Path

    def run(self, script: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(self.folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
        return subprocess.run(  # noqa: S603 - our own
            ["bash", "-e", "-o", "pipefail", "-c", script],  # noqa: S607 - as runners call it
            cwd=self.folder,
            env={**os.environ, **env, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    def record(self, command: str) -> Path:
        """Replaces the command with one that succeeds, and returns the file of its arguments."""
        log, program = self.folder / f"{command}.log", self.folder / "bin" / command
        program.parent.mkdir(exist_ok=True)
        program.write_text(_RECORDER.format(log=log))
        program.chmod(0o755)
        return log
