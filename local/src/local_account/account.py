"""The local account as a whole: up, down, and what is there."""

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import psutil

from local_account.environment import account_environment
from local_account.errors import AccountError
from local_account.paths import find_places
from local_account.record import Record
from local_account.servers import processes
from local_account.servers.rewind import rewind_stream_positions
from local_account.servers.server import SERVERS, Server, describe_servers
from local_account.settings import Settings
from local_account.stack.deployment import build, deploy, find_stack
from local_account.stack.parameters import stack_parameters
from local_account.stack.training_resources import BUCKET, ROLE_ARN, provide_training_needs

SDK_DEFAULTS = Path(__file__).with_name("sagemaker_sdk.yaml")
PATIENCE = 30.0  # seconds that a server gets to save its state and to end what it started

Announce = Callable[[str], None]


def _silently(_: str) -> None:
    """The announcement of whoever does not want any."""


class LocalAccount:
    """One account in one folder, up inside a `with`. Without settings it has those of its last `up`."""

    def __init__(
        self, settings: Settings | None = None, *, home: Path | None = None, template: Path | None = None
    ) -> None:
        self.places = find_places(home, template)
        self.settings = settings or self._recorded().settings

    def __enter__(self) -> Self:
        self.up()
        return self

    def __exit__(self, *_: object) -> None:
        self.down()

    def up(self, announce: Announce = _silently) -> None:
        """Start what does not run, and deploy the template as it is now. A failure leaves nothing that it started."""
        self.places.require_tools()
        stack_parameters(self.settings, self.places)  # so that a wrong value is told at once
        with ExitStack() as undo:
            undo.callback(self._recorded().save, self.places.record)  # settings that fail are not remembered
            if self.running().keys() >= set(SERVERS):
                self._require_same_servers()
                announce(f"already running on {self.settings.endpoint}")
                self._remember(self._recorded().pids)
            else:
                self.down()
                undo.callback(self.down)
                self._start(announce)
            self._deploy(announce)
            undo.pop_all()

    def down(self) -> bool:
        """Stop everything and keep its state. False if nothing ran."""
        running = self.running()
        for name in reversed(SERVERS):
            if name in running:
                processes.stop([running[name]], PATIENCE)
        left_over = processes.find_all(self.places.home)
        processes.stop(left_over, PATIENCE)
        return bool(running or left_over)

    def restart(self, name: str) -> None:
        """End one server as a reboot would, with the processes it started, and start it again from what it saved.

        The other one goes on meanwhile. A server that was killed is only started.
        """
        server = next(server for server in describe_servers(self.settings, self.places) if server.name == name)
        if process := self.running().get(name):
            started_by_it = process.children(recursive=True)
            if name == "ministack":
                processes.cut_off(started_by_it)  # it would wait for functions to end
            processes.stop([process], PATIENCE)
            processes.kill(started_by_it)
        if name == "ministack":
            self._clear_up_after_ministack()
        self._start_server(server)

    def kill(self, name: str) -> None:
        """End one server as a power cut would: it saves nothing, and what it started goes on without it."""
        processes.kill([self.running()[name]])

    def forget(self) -> None:
        """Stop everything and remove all state: jobs, objects, logs, settings. Only the build cache stays."""
        self.down()
        for folder in (self.places.ministack, self.places.sagemaker, self.places.logs):
            _remove(folder)
        self.places.record.unlink(missing_ok=True)

    def env(self) -> dict[str, str]:
        """The environment in which AWS tools, SDKs and the client use this account."""
        stack = find_stack(self.settings) if self.running().keys() >= set(SERVERS) else None
        api_url = stack and stack.api_url(self.settings.endpoint)
        if not api_url:
            raise AccountError("the local account is not up; run `sagequeue local up`")
        return {
            **account_environment(self.settings),
            "SAGEQUEUE_API_URL": api_url,
            "SAGEQUEUE_LOCAL_ROLE": ROLE_ARN,
            "SAGEQUEUE_LOCAL_BUCKET": BUCKET,
            "SAGEMAKER_USER_CONFIG_OVERRIDE": str(SDK_DEFAULTS),
            "SAGEMAKER_VALIDATE_ROLE": "false",  # SDK v3 would ask IAM for permissions that nothing here needs
        }

    def running(self) -> dict[str, psutil.Process]:
        """The servers that run, by name."""
        found = {name: processes.find(pid, self.places.home) for name, pid in self._recorded().pids.items()}
        return {name: process for name, process in found.items() if process}

    def _start(self, announce: Announce) -> None:
        self._prepare_folders()
        servers = describe_servers(self.settings, self.places)
        for server in servers:
            server.require_port()
        for server in servers:
            announce(f"starting {server.name} on {server.url}")
            self._start_server(server)

    def _start_server(self, server: Server) -> None:
        process = server.start(self.places.home)
        self._remember({**self._recorded().pids, server.name: process.pid})
        server.await_health(process)

    def _deploy(self, announce: Announce) -> None:
        provide_training_needs(self.settings)
        announce("building the template")
        build(self.settings, self.places)
        announce(f"deploying it, with budget {self.settings.budget}")
        deploy(self.settings, self.places)

    def _prepare_folders(self) -> None:
        for folder in (self.places.ministack, self.places.sagemaker, self.places.logs):
            folder.mkdir(parents=True, exist_ok=True)
        self._clear_up_after_ministack()

    def _clear_up_after_ministack(self) -> None:
        # Lambda workers leave their unpacked code behind when ministack ends.
        _remove(self.places.scratch)
        self.places.scratch.mkdir(parents=True)
        rewind_stream_positions(self.places.ministack / "state")

    def _require_same_servers(self) -> None:
        if not self.settings.starts_like(self._recorded().settings):
            raise AccountError(
                "the local account runs with other ports or another pace; "
                "run `sagequeue local down` first, or `sagequeue local up` without these options"
            )

    def _recorded(self) -> Record:
        return Record.load(self.places.record)

    def _remember(self, pids: dict[str, int]) -> None:
        Record(self.settings, pids).save(self.places.record)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
