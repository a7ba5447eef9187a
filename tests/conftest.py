"""Configures Hypothesis, botocore, garbage collection and the distribution to workers for all tiers."""

import gc
from collections.abc import Callable
from functools import cache

import pytest
from botocore.loaders import JSONFileLoader, Loader
from hypothesis import settings
from xdist.remote import Producer

from support.distribution import Distribution, place_of

# No test is judged by the clock: a busy machine is not a bug.
settings.register_profile("without deadlines", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=30)
settings.load_profile("without deadlines")

# Each session of boto3 reads the models of its services anew, and most tests with moto have a session of their own.
_model_at = cache(JSONFileLoader().load_file)
JSONFileLoader.load_file = lambda _self, path: _model_at(path)  # type: ignore[assignment, method-assign]


def _once(find: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """Lists botocore's folders once for all sessions: there are 400."""
    known: dict[tuple[str, ...], list[str]] = {}

    def found(loader: Loader, type_name: str) -> list[str]:
        key = (*loader.search_paths, type_name)
        if key not in known:
            known[key] = find(loader, type_name)
        return known[key]

    return found


Loader.list_available_services = _once(Loader.list_available_services)  # type: ignore[method-assign]


@pytest.hookimpl(optionalhook=True)  # pytest-xdist's
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Distribution | None:
    return Distribution(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):  # workers take files in this order
        items.sort(key=lambda item: place_of(item.nodeid))


def pytest_collection_finish() -> None:
    """Looks for garbage rarely, and not among the objects loaded by now: that takes a sixth of a world's time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
