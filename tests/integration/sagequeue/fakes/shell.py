"""`sagequeue` as somebody runs it: standard input is a pipe, so nobody is there to be asked."""

from click.testing import CliRunner, Result

from sagequeue.cli.main import main


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, words, input=stdin)
