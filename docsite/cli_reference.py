"""Generates the command-line reference from the commands themselves."""

import inspect
import re
from collections.abc import Iterator

import click

from docsite.schema_tables import cell, table
from sagequeue.cli.main import main


def commands() -> str:
    """Returns Markdown with a section for each command, sorted by name."""
    return "\n".join(section for name, command in _leaves(main, "sagequeue") for section in _section(name, command))


def _leaves(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None  # noqa: S101  # it is in the list
        if command.hidden:
            continue
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from _leaves(command, f"{path} {name}")


def _section(path: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    yield f"### {path}\n"
    yield _paragraphs(command.help or "")
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield f"```sh\n{path} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    options = [record for parameter in command.params if (record := parameter.get_help_record(context))]
    if options:
        rows = [("`" + names.replace("|", "\\|") + "`", cell(text)) for names, text in options]
        yield table([("option", "meaning"), *rows])


def _paragraphs(text: str) -> str:
    """Returns a command's help as Markdown. A paragraph after \\b keeps its lines."""
    parts = [part.strip("\n") for part in re.split(r"\n\s*\n", inspect.cleandoc(text))]
    blocks = [f"```text\n{part[1:].strip(chr(10))}\n```" if part.startswith("\b") else part for part in parts]
    return "\n\n".join(blocks) + "\n"
