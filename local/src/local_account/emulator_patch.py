"""Applies emulator_patch.yaml: the changes to the template that ministack needs and AWS does not."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from local_account.errors import AccountError

PATCH = Path(__file__).with_suffix(".yaml")


def patched(template: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the built template with the patch. Raises AccountError if the patch does not fit the template."""
    patch = yaml.safe_load(PATCH.read_text())
    removed, added = patch["Remove"], patch["Add"]
    resources = template["Resources"]
    if wrong := [*(set(removed) - resources.keys()), *(added.keys() & resources.keys())]:
        raise AccountError(f"{PATCH} does not fit the template: {', '.join(sorted(wrong))}")
    kept = {name: resource for name, resource in resources.items() if name not in removed}
    return {**template, "Resources": {**kept, **added}}
