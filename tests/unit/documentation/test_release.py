"""All packages have one version, and the changelog begins with it."""

import re
import tomllib

from support.checkout import CHECKOUT

PACKAGES = ("client", "client/preempt", "client/airflow", "layers/scheduler", "local")


def version_of(package: str) -> str:
    version: str = tomllib.loads((CHECKOUT / package / "pyproject.toml").read_text())["project"]["version"]
    return version


def test_all_packages_have_one_version() -> None:
    assert len({version_of(package) for package in PACKAGES}) == 1


def test_the_changelog_begins_with_this_version() -> None:
    first = re.findall(r"^## (\S+?),", (CHECKOUT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert first == version_of("client")


def test_pages_name_the_wheels_of_this_version() -> None:
    named = {
        found
        for page in (CHECKOUT / "docs").rglob("*.md")
        for found in re.findall(r"sagequeue(?:_preempt)?-(\d[\w.]*)-py3", page.read_text())
    }
    assert named == {version_of("client")}


def test_the_stack_reports_this_version() -> None:
    template = (CHECKOUT / "template.yaml").read_text()
    (reported,) = re.findall(r"^  Release:\n    Description: .*\n    Value: (.*)$", template, re.MULTILINE)
    assert reported == version_of("layers/scheduler")


def test_the_release_contains_the_files_that_optional_stacks_need() -> None:
    (archive,) = re.findall(r"git archive HEAD (.*) \| tar ", (CHECKOUT / "Makefile").read_text())
    stacks = "".join(file.read_text() for file in (CHECKOUT / "stacks").glob("*.yaml"))
    code = re.findall(r"CodeUri: \.\./(\S+?)/?$", stacks, re.MULTILINE)
    page = re.findall(r"\$ aws s3 sync (\S+)", (CHECKOUT / "docs/admin/hosted-page.md").read_text())
    needed = {*code, *page}
    assert needed == {"integrations/pipelines", "client/src/sagequeue/ui/built"}
    assert all((CHECKOUT / folder).is_dir() for folder in needed)
    assert not [folder for folder in needed if not any(folder.startswith(path) for path in archive.split())]
