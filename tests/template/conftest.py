from pathlib import Path

import pytest

from support.stack.expanded_template import STACKS, TEMPLATE, Stack


@pytest.fixture(scope="session")
def stack() -> Stack:
    return _loaded(TEMPLATE)


@pytest.fixture(scope="session")
def observability() -> Stack:
    """The stack that template.yaml nests."""
    return _loaded(STACKS / "observability.yaml")


@pytest.fixture(scope="session")
def dashboard() -> Stack:
    return _loaded(STACKS / "dashboard.yaml")


@pytest.fixture(scope="session")
def pipelines() -> Stack:
    return _loaded(STACKS / "pipelines.yaml")


@pytest.fixture(scope="session")
def page() -> Stack:
    return _loaded(STACKS / "page.yaml")


@pytest.fixture(scope="session")
def oldest_wait_alarm() -> Stack:
    return _loaded(STACKS / "oldest_wait_alarm.yaml")


def _loaded(template: Path) -> Stack:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_DEFAULT_REGION", "eu-west-1")  # SAM asks for it to tell the partition
        return Stack.load(template)
