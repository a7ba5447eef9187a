"""Defines the paths of the local account: its tools in the checkout, and its own files."""

import sys
from dataclasses import dataclass
from pathlib import Path

from local_account.errors import AccountError


@dataclass(frozen=True)
class Paths:
    """`checkout` has the tools, `template` is the template to deploy, and `home` contains all the account's files.

    `is_queue` is true for the queue's own template, which needs the emulator's patch, and false for any other.
    """

    checkout: Path
    template: Path
    home: Path
    is_queue: bool

    def require_tools(self) -> None:
        for program in (self.ministack_python, self.sam):
            if not program.exists():
                raise AccountError(f"{program} is missing; run `make setup` in {self.checkout}")

    @property
    def ministack_python(self) -> Path:
        return self.checkout / ".venvs" / "ministack" / "bin" / "python"

    @property
    def local_packages(self) -> Path:
        return self.checkout / "local" / "src"

    @property
    def sam(self) -> Path:
        return self.checkout / ".venvs" / "sam" / "bin" / "sam"

    @property
    def sam_settings(self) -> Path:
        return self.checkout / "samconfig.toml"

    @property
    def record(self) -> Path:
        return self.home / "account.json"

    @property
    def ministack(self) -> Path:
        return self.home / "ministack"

    @property
    def sagemaker(self) -> Path:
        return self.home / "sagemaker"

    @property
    def scratch(self) -> Path:
        return self.home / "tmp"

    @property
    def logs(self) -> Path:
        return self.home / "logs"

    @property
    def build(self) -> Path:
        return self.home / "build"

    @property
    def built_template(self) -> Path:
        return self.build / "template.yaml"

    @property
    def deployed_template(self) -> Path:
        """The built template with the emulator's patch.

        The patched template is in the same folder, because it refers to files there.
        """
        return self.build / "local.yaml" if self.is_queue else self.built_template

    @property
    def build_cache(self) -> Path:
        """The cache of sam's builds. All accounts of the checkout share it, because installing the layer takes seconds.

        Each Python version has its own cache, because sam would reuse a layer that another version compiled.
        """
        if not self.is_queue:
            return self.home / "build-cache"
        return self.checkout / ".cache" / "local-build" / f"python{sys.version_info.major}.{sys.version_info.minor}"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"


def find_paths(home: Path | None = None, template: Path | None = None) -> Paths:
    checkout = _find_checkout()
    chosen_template, chosen_home = template or checkout / "template.yaml", home or checkout / ".local"
    return Paths(checkout, chosen_template.resolve(), chosen_home.resolve(), is_queue=template is None)


def _find_checkout() -> Path:
    """Returns the checkout of this editable package, or else the current folder."""
    for folder in (Path(__file__).resolve().parents[3], Path.cwd()):
        if (folder / "template.yaml").exists():
            return folder
    raise AccountError("no template.yaml in this folder; run this in a checkout of SageQueue")
