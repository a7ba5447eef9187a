"""Warm pools on the deployed stack; tests/data/tours/warm_pools.md has commands and output."""

import os
from typing import Any

import pytest

from support.checkout import CHECKOUT
from support.deployed.container_requests import body
from support.deployed.terminal import Terminal, commands_in, show_on, shown_on
from support.deployed.waiting import eventually

PAGE = CHECKOUT / "tests/data/tours/warm_pools.md"
NO_POOLS = "pools: []\n"
UNBOUNDED = "pools:\n  - {instance_type: ml.m5.large, use: hold, keep: 30m}\n"
HOLD = "pools:\n  - {instance_type: ml.m5.large, use: hold, keep: 5m, dollars: 0.5}\n"


@pytest.mark.usefixtures("operator")
def test_capacity_is_kept_as_the_page_shows_it(terminal: Terminal) -> None:
    refuse_what_has_no_cap(terminal)
    start_on_the_pool_of_another(terminal)
    start_beside_a_pool_that_does_not_fit(terminal)
    release_for_who_needs_more(terminal)
    if os.environ.get("UPDATE_DOCS"):
        show_on(PAGE, __file__, terminal.text())
    assert list(commands_in(shown_on(PAGE, __file__))) == list(commands_in(terminal.text()))


def refuse_what_has_no_cap(terminal: Terminal) -> None:
    terminal.scene("Pool rules", "`unbounded.yaml` would hold instances at any cost, so it is refused.")
    terminal.write("unbounded.yaml", UNBOUNDED)
    terminal.write("pools.yaml", HOLD)
    terminal.type("config apply unbounded.yaml", code=1)
    terminal.shell("cat pools.yaml")
    terminal.type("config apply pools.yaml")


def start_on_the_pool_of_another(terminal: Terminal) -> None:
    terminal.scene("A matching job", "The second job equals the first in everything that SageMaker compares.")
    terminal.write("a.json", body("job-a"))
    terminal.write("b.json", body("job-b", "echo warm"))
    terminal.type("submit a.json --wait")
    assert "job-a-sq-1" in terminal.type("pools")
    terminal.type("submit b.json --wait")
    assert "on the warm pool of job-a-sq-1" in terminal.type("show job-b")
    assert terminal.ask("show job-b")["attempts"][0]["on_pool"] == "job-a-sq-1"


def start_beside_a_pool_that_does_not_fit(terminal: Terminal) -> None:
    terminal.scene("A job that does not match", "The third job has a volume of another size.")
    terminal.write("c.json", with_volume(body("job-c", "sleep 5"), 20))
    terminal.type("submit c.json")
    assert "ResourceConfig.VolumeSizeInGB" in terminal.type("why job-c")
    terminal.type("wait job-c")
    assert terminal.ask("show job-c")["attempts"][0]["on_pool"] is None


def release_for_who_needs_more(terminal: Terminal) -> None:
    terminal.scene(
        "A job that needs the instances",
        "Two pools hold the whole budget. `pair.json` needs both instances and matches neither: both are released.",
    )
    eventually(lambda: pools(terminal), lambda left: left == {"job-b-sq-1", "job-c-sq-1"})
    terminal.type("pools")
    terminal.write("none.yaml", NO_POOLS)
    terminal.type("config apply none.yaml")
    terminal.write("pair.json", body("pair", priority=5, instances=2))
    terminal.type("submit pair.json --wait")
    terminal.type("pools")
    terminal.type("show job-c")
    assert pools(terminal) == set()
    assert terminal.ask("show job-c")["attempts"][0]["retained_seconds"] > 0


def with_volume(request: dict[str, Any], size: int) -> dict[str, Any]:
    return request | {"ResourceConfig": request["ResourceConfig"] | {"VolumeSizeInGB": size}}


def pools(terminal: Terminal) -> set[str]:
    return {pool["name"] for pool in terminal.ask("pools")["pools"]}
