"""Runs `sagequeue` with a pipe as standard input, so that it cannot ask for a confirmation."""

from click.testing import CliRunner, Result

from sagequeue.cli.main import main


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, words, input=stdin)
