"""Stores that read the operators' settings once per call of the API, which asks for them several times."""

from functools import cache

from scheduler.ports.config_store import ControlStore, DocumentStore


class CachedControls:
    """A ControlStore that reads once."""

    def __init__(self, store: ControlStore) -> None:
        self.read, self.write = cache(store.read), store.write


class CachedDocuments:
    """A DocumentStore that reads once."""

    def __init__(self, store: DocumentStore) -> None:
        self.latest, self.add = cache(store.latest), store.add
