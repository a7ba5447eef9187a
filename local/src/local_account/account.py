"""Starts and stops the servers of the local account, and deploys the stack."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

import boto3
import psutil

from local_account.configuration import apply_configuration, apply_defaults
from local_account.errors import AccountError
from local_account.paths import find_paths
from local_account.servers import processes
from local_account.servers.server import SERVERS, Server, describe_servers, require_free, reset_stream_positions
from local_account.settings import Record, Settings, account_environment, account_session, new_key
from local_account.stack import (
    BUCKET,
    ROLE_ARN,
    build,
    create_training_resources,
    deploy,
    find_stack,
    require_complete,
    stack_parameters,
)

SDK_DEFAULTS = Path(__file__).with_name("sagemaker_sdk.yaml")
STOP_SECONDS = 30.0  # for a server to save its state and end its child processes

Announce = Callable[[str], None]


class LocalAccount:
    """An account in a folder.

    A `with` block starts and stops it. By default, it has the settings from the last `up`.
    """

    def __init__(
        self, settings: Settings | None = None, *, home: Path | None = None, template: Path | None = None
    ) -> None:
        self.paths = find_paths(home, template)
        self.settings = settings or self._recorded().settings

    def __enter__(self) -> Self:
        self.up()
        return self

    def __exit__(self, *_: object) -> None:
        self.down()

    @contextmanager
    def servers(self) -> Iterator[None]:
        """Runs both servers without the queue's stack."""
        self.paths.require_tools()
        try:
            self._start(lambda _step: None)
            yield
        finally:
            self.down()

    def up(self, announce: Announce = lambda _step: None, config: str | None = None) -> None:
        """Starts stopped servers, deploys the current template, and then applies `config`, the text of a file.

        After a failure, stops the servers that it started.
        """
        self.paths.require_tools()
        stack_parameters(self.settings, self.paths)  # refuses a wrong value before anything starts
        with ExitStack() as undo:
            undo.callback(self._recorded().save, self.paths.record)  # settings that fail are not recorded
            if self.running().keys() >= set(SERVERS):
                if not self.settings.same_servers(self._recorded().settings):
                    raise AccountError(
                        "the local account runs with different ports, startup seconds or request rates; "
                        "run `sagequeue local down` first, or `sagequeue local up` without these options"
                    )
                announce(f"already running on {self.settings.endpoint}")
                self._record(self._recorded().pids)
            else:
                self.down()
                undo.callback(self.down)
                self._start(announce)
            create_training_resources(self.settings, self.key)
            announce("building the template")
            build(self.settings, self.key, self.paths)
            announce(f"deploying it, with budget {self.settings.budget}")
            deploy(self.settings, self.key, self.paths)
            require_complete(self.settings, self.key)
            self._configure(config, announce)
            undo.pop_all()

    def down(self) -> bool:
        """Stops everything and keeps its state. Returns False if nothing ran."""
        running = self.running()
        for name in reversed(SERVERS):
            if name in running:
                processes.stop([running[name]], STOP_SECONDS)
        orphans = processes.find_all(self.paths.home)
        processes.stop(orphans, STOP_SECONDS)
        _remove(self.paths.scratch)
        return bool(running or orphans)

    def restart(self, name: str) -> None:
        """Ends one server and its child processes, as a reboot does. Then starts the server from its saved state.

        The other server continues. If the server was killed before, only starts it.
        """
        server = next(server for server in describe_servers(self.settings, self.key, self.paths) if server.name == name)
        if process := self.running().get(name):
            children = process.children(recursive=True)
            if name == "ministack":
                processes.kill_without_waiting(children)  # otherwise, ministack waits until its functions end
            processes.stop([process], STOP_SECONDS)
            processes.kill(children)
        if name == "ministack":
            self._reset_ministack()
        self._start_server(server)

    def kill(self, name: str) -> None:
        """Kills one server abruptly: the server saves nothing, and its child processes continue."""
        processes.kill([self.running()[name]])

    def forget(self) -> None:
        """Stops everything and removes all state: jobs, objects, logs, settings. Keeps only the build."""
        self.down()
        for folder in (self.paths.ministack, self.paths.sagemaker, self.paths.logs):
            _remove(folder)
        self.paths.record.unlink(missing_ok=True)

    def env(self) -> dict[str, str]:
        """Returns the environment in which AWS tools, SDKs and the client use this account."""
        return {
            **account_environment(self.settings, self.key),
            "SAGEQUEUE_API_URL": self._api_url(),
            "SAGEQUEUE_LOCAL_ROLE": ROLE_ARN,
            "SAGEQUEUE_LOCAL_BUCKET": BUCKET,
            "SAGEMAKER_USER_CONFIG_OVERRIDE": str(SDK_DEFAULTS),
            "SAGEMAKER_VALIDATE_ROLE": "false",  # otherwise, SDK v3 would need more IAM permissions
        }

    def session(self) -> boto3.Session:
        """Returns a session for clients with the account's endpoint_url. The clients act as the account's root user."""
        return account_session(self.key)

    @property
    def key(self) -> str:
        """The access key id, which stays the same until the account's state is removed.

        Servers refuse requests without it.
        """
        return self._recorded().key

    def running(self) -> dict[str, psutil.Process]:
        """Returns the running servers by name."""
        found = {name: processes.find(pid, self.paths.home) for name, pid in self._recorded().pids.items()}
        return {name: process for name, process in found.items() if process}

    def _api_url(self) -> str:
        stack = find_stack(self.settings, self.key) if self.running().keys() >= set(SERVERS) else None
        api_url = stack and stack.api_url(self.settings.endpoint)
        if not api_url:
            raise AccountError("the local account is not up; run `sagequeue local up`")
        return api_url

    def _configure(self, config: str | None, announce: Announce) -> None:
        api_url = self._api_url()
        apply_defaults(api_url, self.key)
        if config is not None:
            announce("applying the configuration")
            apply_configuration(api_url, self.key, config)

    def _start(self, announce: Announce) -> None:
        for folder in (self.paths.ministack, self.paths.sagemaker, self.paths.logs):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # other users of this machine cannot read the data
        self._reset_ministack()
        self._record({})
        servers = describe_servers(self.settings, self.key, self.paths)
        for server in servers:
            require_free(server.port, server.port_option)
        for server in servers:
            announce(f"starting {server.name} on {server.url}")
            self._start_server(server)

    def _start_server(self, server: Server) -> None:
        process = server.start(self.paths.home)
        self._record({**self._recorded().pids, server.name: process.pid})
        server.await_health(process)

    def _reset_ministack(self) -> None:
        # When ministack ends, its Lambda workers leave their unpacked code behind.
        _remove(self.paths.scratch)
        self.paths.scratch.mkdir(mode=0o700, parents=True)
        reset_stream_positions(self.paths.ministack / "state")

    def _recorded(self) -> Record:
        return Record.load(self.paths.record)

    def _record(self, pids: dict[str, int]) -> None:
        Record(self.settings, pids, self.key or new_key()).save(self.paths.record)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
