import pytest

from support.stack.expanded_template import Stack


@pytest.fixture(scope="session")
def stack() -> Stack:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_DEFAULT_REGION", "eu-west-1")  # SAM asks for it to tell the partition
        return Stack.load()
