"""The view of one job: cost, instances, metrics, and log."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from integration.sagequeue.fakes.aws import a_trial
from page.crowd import Crowd
from page.layout import WIDTHS, clipped_hints, faults, set_width
from page.test_views import obstacles
from sagequeue.contract.jobs import Job
from unit.sagequeue.builders.costs import a_cost, a_job_cost
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt
from unit.sagequeue.builders.tuning import a_preempted_tuning_job

OpenCrowd = Callable[[Crowd], Page]


def _shown(open_crowd: OpenCrowd, job: Job, **told: Any) -> Page:
    """Opens a job, with `metrics` and `logs` of CloudWatch and `trials` of SageMaker, beside `others`."""
    crowd = Crowd(0)
    crowd.metrics, crowd.logs, crowd.trials = told.get("metrics", {}), told.get("logs", {}), told.get("trials", {})
    crowd.shown = {one["name"]: one for one in (job, *told.get("others", []))} | {"resnet": job}
    page = open_crowd(crowd)
    page.goto(f"{page.url.partition('#')[0]}#/job/resnet")
    return page


def test_the_cost_of_a_job_and_of_each_attempt_is_shown(open_crowd: OpenCrowd) -> None:
    lost = an_attempt(1, "preempted", billable_seconds=600, cost=a_cost(2.5, wasted_dollars_at_most=1.25))
    live = an_attempt(2, billable_seconds=None, cost=a_cost(0.5, final=False))
    cost = a_job_cost(3.0, wasted_dollars_at_most=1.25, saved_dollars=4.0, retained_dollars=0.75, final=False)
    page = _shown(open_crowd, a_job("running", "running", attempts=[lost, live], cost=cost, actions=[]))
    costs = page.get_by_role("region", name="Cost")
    for text in ("≤ $3.75", "prices of 2026-09-25", "10 min of each instance", "$0.75", "$4.00", "$1.25, lost"):
        expect(costs).to_contain_text(text)
    expect(page.get_by_role("row", name="resnet-sq-1")).to_contain_text("10 min$2.50")
    expect(page.get_by_role("row", name="resnet-sq-2")).to_contain_text("≤ $0.50")


def test_an_unknown_price_is_shown_as_unknown(open_crowd: OpenCrowd) -> None:
    cost = a_job_cost(0.0, unknown_types=["ml.g5.xlarge"], prices_as_of=None)
    attempt = an_attempt(1, "completed", billable_seconds=60, cost=None)
    page = _shown(open_crowd, a_job("completed", "completed", attempts=[attempt], cost=cost, actions=[]))
    expect(page.get_by_role("region", name="Cost")).to_contain_text("no known pricefor ml.g5.xlarge")
    expect(page.get_by_role("region", name="Cost")).not_to_contain_text("$")
    expect(page.get_by_role("row", name="resnet-sq-1")).to_contain_text("no known price")


def test_an_attempt_for_which_nothing_was_billed_counts_as_reported(open_crowd: OpenCrowd) -> None:
    attempt = an_attempt(1, "failed", billable_seconds=0, cost=a_cost(0.0))
    page = _shown(open_crowd, a_job("failed", "failed", attempts=[attempt], cost=a_job_cost(0.0), actions=[]))
    expect(page.get_by_role("region", name="Cost")).to_contain_text("billed0 s of each instance")


def test_a_traceback_keeps_its_lines(open_crowd: OpenCrowd) -> None:
    traceback = 'AlgorithmError:\nTraceback (most recent call last):\n  File "train.py", line 1'
    attempt = an_attempt(1, "failed", failure_reason=traceback)
    reason = {"code": "failed", "message": traceback}
    page = _shown(open_crowd, a_job("failed", "failed", attempts=[attempt], reason=reason, actions=[]))
    for place in (page.get_by_role("region", name="Why it failed"), page.get_by_role("row", name="resnet-sq-1")):
        expect(place).to_contain_text("Traceback")
        assert traceback in place.inner_text()


def test_every_hint_fits_into_its_field(open_crowd: OpenCrowd) -> None:
    page = _shown(open_crowd, a_job("completed", "completed", attempts=[an_attempt(1, "completed")], actions=[]))
    for width in WIDTHS:
        set_width(page, width)
        for view in ("job/resnet", "submit", "now"):
            page.goto(f"{page.url.partition('#')[0]}#/{view}")
            expect(page.get_by_role("searchbox").or_(page.get_by_label("Earlier job")).first).to_be_visible()
            assert clipped_hints(page) == []


def test_a_job_that_has_not_started_costs_nothing_yet_and_names_what_may_be_selected(open_crowd: OpenCrowd) -> None:
    kinds = ["ml.p5.48xlarge", "ml.p4d.24xlarge"]
    waits = a_job(instances=dict.fromkeys(kinds, 1), preferences=kinds, cost=a_job_cost(0.0), actions=[])
    page = _shown(open_crowd, waits)
    expect(page.get_by_text("1 × ml.p5.48xlarge or 1 × ml.p4d.24xlarge")).to_be_visible()
    expect(page.get_by_role("region", name="Cost")).to_have_count(0)


def test_what_a_submission_asks_for_in_vain_is_shown_with_its_remedy(open_crowd: OpenCrowd) -> None:
    field = "ResourceConfig.KeepAlivePeriodInSeconds"
    unheeded = {"rule": "unheeded", "field": field, "message": "It is left out", "remedy": "Ask an operator."}
    page = _shown(open_crowd, a_job(warnings=[unheeded], actions=[]))
    expect(page.get_by_role("region", name="Why it is pending")).to_contain_text("It is left out Ask an operator.")


def test_the_alternatives_of_a_job_are_shown_with_the_one_that_it_runs_on(open_crowd: OpenCrowd) -> None:
    choices = [
        {"instances": {"ml.p5.48xlarge": 1}, "spot": False, "max_runtime": 3600, "wait_for_better": 0},
        {"instances": {"ml.g5.12xlarge": 2}, "spot": True, "max_runtime": 7200, "wait_for_better": 900},
    ]
    attempt = an_attempt(choice=1)
    page = _shown(open_crowd, a_job("running", "running", attempts=[attempt], choice=1, choices=choices, actions=[]))
    shown = page.get_by_role("region", name="Alternatives")
    expect(shown.get_by_role("row", name="request")).to_contain_text("1 × ml.p5.48xlargeon demand1 hno")
    expect(shown.get_by_role("row", name="alternative 1")).to_contain_text("2 × ml.g5.12xlargespot2 h15 minruns on it")


def test_a_job_without_alternatives_shows_none(open_crowd: OpenCrowd) -> None:
    page = _shown(open_crowd, a_job(actions=[]))
    expect(page.get_by_role("heading", name="Request", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Alternatives")).to_have_count(0)


def test_metrics_of_an_attempt_are_drawn_told_and_listed(open_crowd: OpenCrowd) -> None:
    first, live = an_attempt(1, "preempted", billable_seconds=60), an_attempt(2)
    request = {**a_request(), "AlgorithmSpecification": {"MetricDefinitions": [{"Name": "loss", "Regex": "l=(.*)"}]}}
    page = _shown(
        open_crowd,
        a_job("running", "running", attempts=[first, live], actions=[], request=request, instances={"ml.g5.xlarge": 2}),
        metrics={
            ("GPUUtilization", "resnet-sq-2/algo-1"): [0, 80, 90],
            ("GPUUtilization", "resnet-sq-2/algo-2"): [0, 60, 70],
            ("CPUUtilization", "resnet-sq-2/algo-1"): [120],
            ("loss", "resnet-sq-2"): [2.5, -0.125],
            ("loss", "resnet-sq-1"): [9, 4],
        },
    )
    section = page.get_by_role("region", name="Metrics")
    charts = section.get_by_role("img")
    expect(charts).to_have_count(3)
    expect(charts.first).to_have_attribute("aria-label", "GPU: 80 % at last, 50 % on average, from 0 % to 90 %")
    expect(charts.nth(1)).to_have_attribute("aria-label", re.compile("^CPU: 1.2 cores at last"))
    expect(charts.last).to_have_attribute("aria-label", re.compile("^loss: -0.125 at last, 1.19 on average"))
    section.get_by_text("As a table").click()
    expect(section.get_by_role("row", name="loss")).to_have_text("loss-0.1251.19-0.1252.5")
    for width in WIDTHS:
        set_width(page, width)
        assert faults(page) == []
        for scheme in ("light", "dark"):
            assert not obstacles(page, scheme)
    section.get_by_label("of").select_option("resnet-sq-1")
    expect(section.get_by_role("img")).to_have_count(1)
    expect(section).not_to_contain_text(re.compile("first .* hosts"))  # a metric of the log is of all hosts
    expect(section.get_by_role("img")).to_have_attribute("aria-label", re.compile("^loss: 4 at last"))


def test_the_trials_of_a_tuning_job_are_drawn_and_listed_with_the_best_one(open_crowd: OpenCrowd) -> None:
    ended = [a_trial(f"sweep-sq-1-{number}", value=value, rate=f"0.{number}") for number, value in ((1, 0.5), (2, 0.9))]
    trials = {"sweep-sq-1": ended, "sweep-sq-2": [a_trial("sweep-sq-2-1", "InProgress", rate="0.3")]}
    page = _shown(open_crowd, a_preempted_tuning_job(actions=[]), trials=trials)
    section = page.get_by_role("region", name="Trials")
    expect(section).to_contain_text("best so faraccuracy 0.9 rate=0.2")
    expect(section).to_contain_text("remaining4 trials")
    expect(section.get_by_role("img")).to_have_attribute(
        "aria-label", "accuracy of 2 trials: best 0.9, from 0.5 to 0.9"
    )
    section.get_by_text("As a table").click()
    expect(section.get_by_role("row", name="sweep-sq-1-2 (best)")).to_contain_text("Completed")
    expect(page.get_by_role("region", name="Metrics")).to_have_count(0)
    for width in WIDTHS:
        set_width(page, width)
        assert faults(page) == []
        for scheme in ("light", "dark"):
            assert not obstacles(page, scheme)


def test_an_attempt_without_metrics_says_so(open_crowd: OpenCrowd) -> None:
    page = _shown(open_crowd, a_job("running", "running", attempts=[an_attempt(1)], actions=[]))
    expect(page.get_by_role("region", name="Metrics")).to_contain_text("CloudWatch has no metrics for this attempt")


LOGS = {
    "resnet-sq-1/algo-1-1": [f"epoch {number} of 90: loss 0.{99 - number}" for number in range(60)],
    "resnet-sq-2/algo-1-2": ["resumed from EPOCH 59", "validating"],
}


def test_the_log_goes_on_from_attempt_to_attempt_and_follows_its_end(open_crowd: OpenCrowd) -> None:
    attempts = [an_attempt(1, "preempted"), an_attempt(2)]
    page = _shown(open_crowd, a_job("running", "running", attempts=attempts, actions=[]), logs=LOGS)
    section = page.get_by_role("region", name="Log")
    log = section.get_by_role("log")
    expect(log).to_contain_text("resnet-sq-1")
    expect(log.locator(".log-attempt")).to_have_text(["resnet-sq-1", "resnet-sq-2"])
    section.scroll_into_view_if_needed()
    expect(log.get_by_text("validating")).to_be_in_viewport()
    log.evaluate("box => box.scrollTop = 0")
    section.get_by_role("button", name="Follow the end").click()
    expect(log.get_by_text("validating")).to_be_in_viewport()
    expect(section.get_by_role("button", name="Follow the end")).to_have_count(0)
    section.get_by_role("combobox").select_option("resnet-sq-2")
    expect(log.locator(".log-attempt")).to_have_count(0)
    expect(log).not_to_contain_text("epoch 1 of")


def test_a_search_marks_the_found_lines_of_all_attempts(open_crowd: OpenCrowd) -> None:
    attempts = [an_attempt(1, "preempted"), an_attempt(2)]
    page = _shown(open_crowd, a_job("running", "running", attempts=attempts, actions=[]), logs=LOGS)
    section = page.get_by_role("region", name="Log")
    search = section.get_by_role("searchbox", name="Search the log")
    search.fill("epoch 59")
    search.press("Enter")
    expect(section).to_contain_text("2 lines of 62 have “epoch 59”.")
    expect(section.locator("mark")).to_have_text(["epoch 59", "EPOCH 59"])
    for width in WIDTHS:
        set_width(page, width)
        assert faults(page) == []
        for scheme in ("light", "dark"):
            assert not obstacles(page, scheme)
    search.fill("")
    expect(section.get_by_role("log")).to_contain_text("validating")


def _tuned(name: str, rate: str) -> Job:
    request = {
        **a_request(name),
        "HyperParameters": {"lr": rate, "epochs": "90"},
        "AlgorithmSpecification": {"MetricDefinitions": [{"Name": "loss", "Regex": "l=(.*)"}]},
        "Tags": [{"Key": "run", "Value": f"https://wandb.ai/moon/{name}/runs/3f2a"}],
        "TensorBoardOutputConfig": {"S3OutputPath": "s3://bucket/tensorboard"},
    }
    attempt = an_attempt(1, "completed", name=f"{name}-sq-1")
    return a_job("completed", name=name, attempts=[attempt], actions=[], request=request)


def test_a_change_leaves_options_that_another_person_changed_meanwhile(open_crowd: OpenCrowd) -> None:
    job = a_job(actions=[])
    page = _shown(open_crowd, job)
    page.get_by_role("button", name="Change…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("spinbutton", name="Time limit").fill("7200")
    job["options"]["retries"] = 7
    job["priority"] = 44
    expect(page.get_by_role("region", name="Request", include_hidden=True)).to_contain_text("priority44")
    with page.expect_request("**/jobs/resnet/update") as sent:
        dialog.get_by_role("button", name="Change job").click()
    assert sent.value.post_data_json == {"max_runtime": 7200}


def test_two_jobs_are_compared_by_their_requests_and_metrics(open_crowd: OpenCrowd) -> None:
    metrics = {("loss", "resnet-sq-1"): [2.0, 1.0], ("loss", "vgg-sq-1"): [4.0, 3.0, 2.0]}
    page = _shown(open_crowd, _tuned("resnet", "0.1"), metrics=metrics, others=[_tuned("vgg", "0.5")])
    section = page.get_by_role("region", name="Compare")
    other = section.get_by_role("searchbox", name="Compare with job")
    other.fill("vgg")
    other.press("Enter")
    expect(page).to_have_url(re.compile("#/job/resnet\\?with=vgg$"))
    expect(section.get_by_role("row", name="HyperParameters.lr")).to_have_text("HyperParameters.lr0.10.5")
    expect(section.get_by_role("row", name="HyperParameters.epochs")).to_have_count(0)
    expect(section.get_by_role("img", name="loss")).to_have_attribute("aria-label", re.compile("from 1 to 4$"))
    for width in WIDTHS:
        set_width(page, width)
        assert faults(page) == []
        for scheme in ("light", "dark"):
            assert not obstacles(page, scheme)
    other.fill("nobody")
    other.press("Enter")
    expect(section.get_by_role("alert")).to_contain_text("not played here")


def test_tags_with_addresses_are_links_that_know_nothing_of_the_page(open_crowd: OpenCrowd) -> None:
    page = _shown(open_crowd, _tuned("resnet", "0.1"))
    link = page.get_by_role("region", name="Request").get_by_role("link", name="W&B")
    expect(link).to_have_attribute("href", "https://wandb.ai/moon/resnet/runs/3f2a")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(page.get_by_text("tensorboard --logdir s3://bucket/tensorboard")).to_be_visible()
