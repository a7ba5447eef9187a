"""API calls about warm pools and their rules."""

from collections.abc import Callable
from typing import Any

from integration.functions.conftest import configure
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.limits import Quotas
from support.account.simulated_queue import request
from support.builders.pool_rules import pool_rules

Call = Callable[..., tuple[int, dict[str, Any]]]

HOLD = pool_rules("ml.m5.large", "hold", keep="30m", dollars=1)


def left_by_a_job(call: Call, schedule: Callable[[], None], sagemaker: Simulation) -> None:
    """A pool of one of two instances."""
    configure(call, pools=HOLD)
    call("POST", "/add-job", request("warm"))
    for _ in range(3):
        schedule()
        sagemaker.run(700)


def test_at_first_no_attempt_leaves_a_pool(call: Call) -> None:
    assert call("GET", "/pools") == (200, {"pools": [], "refused": []})


def test_a_pool_is_shown_with_its_cost_and_the_job_that_would_reuse_it(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    left_by_a_job(call, schedule, sagemaker)
    call("POST", "/jobs", {"request": request("next"), "options": {}})
    call("POST", "/add-job", request("alike", instances=2))
    (pool,) = call("GET", "/pools")[1]["pools"]
    assert (pool["name"], pool["job"], pool["instances"]) == ("warm-sq-1", "warm", {"ml.m5.large": 1})
    assert (pool["fits"], pool["match"]["ResourceConfig.VolumeSizeInGB"]) == (["next"], 1)
    assert pool["since"] < pool["until"]
    assert pool["cost"] >= 0


def test_each_choice_of_a_job_counts(call: Call, schedule: Callable[[], None], sagemaker: Simulation) -> None:
    left_by_a_job(call, schedule, sagemaker)
    fewer = {"alternatives": [{"request": {"ResourceConfig": {"InstanceCount": 1}}}]}
    smaller = {"alternatives": [{"request": {"ResourceConfig": {"InstanceCount": 1, "VolumeSizeInGB": 2}}}]}
    call("POST", "/jobs", {"request": request("fits", instances=2), "options": fewer})
    call("POST", "/jobs", {"request": request("closest", instances=2), "options": smaller})
    assert call("GET", "/pools")[1]["pools"][0]["fits"] == ["fits"]
    assert call("GET", "/jobs/fits/why")[1]["pools"] == []
    fields = ["ResourceConfig.InstanceCount"]
    assert call("GET", "/jobs/closest/why")[1]["pools"] == [{"pool": "warm-sq-1", "fields": fields}]


def test_a_pool_is_compared_with_the_choice_that_left_it(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    configure(call, pools=HOLD)
    call("POST", "/add-job", request("holds-one-of-two"))
    schedule()
    fewer = {"alternatives": [{"request": {"ResourceConfig": {"InstanceCount": 1, "VolumeSizeInGB": 5}}}]}
    call("POST", "/jobs", {"request": request("warm", instances=2), "options": fewer})
    for _ in range(4):
        schedule()
        sagemaker.run(700)
    pools = {pool["job"]: pool for pool in call("GET", "/pools")[1]["pools"]}
    assert pools["warm"]["match"]["ResourceConfig.VolumeSizeInGB"] == 5


def test_a_type_without_pools_is_reported_until_one_appears(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    sagemaker.machine.set_quotas(Quotas(warm_pool={"ml.m5.large": 0}))
    left_by_a_job(call, schedule, sagemaker)
    seen = call("GET", "/pools")[1]
    assert (seen["pools"], [one["instance_type"] for one in seen["refused"]]) == ([], ["ml.m5.large"])
    sagemaker.machine.set_quotas(Quotas())
    call("POST", "/add-job", request("next"))
    for _ in range(3):
        schedule()
        sagemaker.run(700)
    assert call("GET", "/pools")[1]["refused"] == []


def test_a_type_that_shall_leave_no_pools_is_not_reported(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    sagemaker.machine.set_quotas(Quotas(warm_pool={"ml.m5.large": 0}))
    left_by_a_job(call, schedule, sagemaker)
    configure(call, pools=pool_rules("ml.m5.large", "off"))
    assert call("GET", "/pools")[1]["refused"] == []


def test_why_names_the_fields_that_keep_a_job_from_a_pool(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    left_by_a_job(call, schedule, sagemaker)
    resources = request("other")["ResourceConfig"] | {"VolumeSizeInGB": 2}
    call("POST", "/add-job", request("other", ResourceConfig=resources))
    call("POST", "/add-job", request("alike"))
    fields = ["ResourceConfig.VolumeSizeInGB"]
    assert call("GET", "/jobs/other/why")[1]["pools"] == [{"pool": "warm-sq-1", "fields": fields}]
    assert call("GET", "/jobs/alike/why")[1]["pools"] == []
