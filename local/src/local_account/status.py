"""What of the account is there now."""

from dataclasses import dataclass

from local_account.account import LocalAccount
from local_account.servers.server import describe_servers
from local_account.stack.deployment import find_stack


@dataclass(frozen=True)
class Component:
    name: str
    state: str
    pid: int | None
    url: str | None


def look(account: LocalAccount) -> list[Component]:
    return [*_servers(account), _stack(account)]


def _servers(account: LocalAccount) -> list[Component]:
    running = account.running()
    return [
        Component(server.name, "running", running[server.name].pid, server.url)
        if server.name in running
        else Component(server.name, "stopped", None, None)
        for server in describe_servers(account.settings, account.places)
    ]


def _stack(account: LocalAccount) -> Component:
    if "ministack" not in account.running():
        return Component("stack", "unknown", None, None)
    stack = find_stack(account.settings)
    if not stack:
        return Component("stack", "absent", None, None)
    return Component("stack", stack.state, None, stack.api_url(account.settings.endpoint))
