"""docs/reference/python.md has each public name of the packages, and each has a docstring that the site shows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sagequeue
import sagequeue_preempt
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs/reference/python.md").read_text()
SHOWN = re.findall(r"^::: (sagequeue[\w.]*)\.(\w+)$", PAGE, re.MULTILINE)
#: Modules whose classes docs/reference/errors.md explains one by one.
OF_ERRORS = {"sagequeue.errors", "sagequeue.api.config_errors"}
#: Modules whose methods a framework calls; the page shows those that a user calls.
OF_FRAMEWORKS = {"sagequeue_preempt.ddp", "sagequeue_preempt.huggingface", "sagequeue_preempt.lightning"}

Node = ast.ClassDef | ast.FunctionDef


def _module(name: str) -> ast.Module:
    package = "client/preempt/src" if name.startswith("sagequeue_preempt") else "client/src"
    path = Path(package, *name.split(".")).with_suffix(".py")
    return ast.parse((CHECKOUT / path).read_text())


def _methods(module: ast.Module, found: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Yields the public methods of a class, also those that it inherits from classes of the client."""
    yield from (one for one in found.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"))
    imports = [node for node in module.body if isinstance(node, ast.ImportFrom)]
    origins = {alias.name: str(node.module) for node in imports for alias in node.names}
    for base in found.bases:
        if isinstance(base, ast.Name) and origins.get(base.id, "").startswith("sagequeue."):
            origin = _module(origins[base.id])
            yield from _methods(origin, next(one for one in _classes(origin) if one.name == base.id))


def _classes(module: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in module.body if isinstance(node, ast.ClassDef))


def public() -> Iterator[tuple[str, Node]]:
    """Yields the definition of each name on the page, and of each public method."""
    for module, name in SHOWN:
        if module not in OF_ERRORS:
            found = next(node for node in _module(module).body if isinstance(node, Node) and node.name == name)
            yield name, found
            if isinstance(found, ast.ClassDef) and module not in OF_FRAMEWORKS:
                yield from ((f"{name}.{one.name}", one) for one in _methods(_module(module), found))


def test_the_page_has_each_public_name_and_no_other() -> None:
    names = [name for module, name in SHOWN if module.startswith("sagequeue.")]
    assert sorted(names) == sorted(sagequeue.__all__)
    assert {name for _, name in SHOWN} >= {*sagequeue_preempt.__all__}


@pytest.mark.parametrize(("name", "node"), [pytest.param(*each, id=each[0]) for each in public()])
def test_a_public_name_is_documented(name: str, node: Node) -> None:
    assert ast.get_docstring(node), f"{name} has no docstring"
