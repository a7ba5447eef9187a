"""Each view of a busy queue: content, accessibility and screenshots."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Locator, Page, Route, expect

from local_account import LocalAccount
from local_guard.rule import KEY_HEADER
from page.busy_queue import CONFIG, JOBS, STEPS, a_request, trains
from page.conftest import OpenPage, Scheme
from page.desktop import BETWEEN_LOOKS, DESKTOP
from page.layout import WIDTHS, faults, set_width
from page.pictures import Pictures
from sagequeue import QueueClient
from sagequeue.contract.jobs import JobOptions
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

AXE = Path(__file__).parents[2] / "client/ui/node_modules/axe-core/axe.min.js"
#: Each view, and the texts that it must show.
VIEWS: tuple[tuple[str, tuple[str | re.Pattern[str], ...]], ...] = (
    ("now", ("llama-lora", re.compile("whisper-small-de in .*"), "nightly-report", "held since its submission")),
    (
        "job/clip-distill",
        ("preempted for urgent-fix", "clip-distill-sq-1", "preempted by urgent-fix", "step 1 of 900", "Cost"),
    ),
    ("teams", ("vision", "speech", "67 %", re.compile(r"^\d+\.\d h$"))),
    ("capacity", ("nights", "tokenizer-sq-1", re.compile("ml.p4d.24xlarge"))),
    ("spending", ("each-owner", "used up", "moon-shot")),
    ("history", ("completed", "clip-eval", "Use of instance time")),
    ("guardrails", ("Parked", "Started outside the queue")),
    ("configuration", ("limits of the research group", re.compile("name: speech-is-not-urgent"), "Versions")),
)


@pytest.fixture(scope="module")
def busy(emptied: None, account: LocalAccount, rest_api: RestApi, queue: QueueClient) -> Iterator[None]:
    queue.apply_config(CONFIG, comment="limits of the research group")
    lack(account, "ml.p4d.24xlarge")
    for name, command, priority, kind, instances in JOBS:
        rest_api.submit(a_request(name, command, priority, kind, instances))
    other = {"ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1}}
    options: JobOptions = {"hold": True, "alternatives": [{"request": other}]}
    queue.submit(a_request("nightly-report", STEPS, 0, "ml.m5.large", 1), options)
    moon = a_request("moon-shot", STEPS, 0, "ml.m5.large", 1)
    rest_api.submit({**moon, "Tags": [*moon["Tags"], {"Key": "project", "Value": "moon"}]})
    trained = ("bert-base-finetune", "resnet50-imagenet", "llama-lora", "clip-distill")
    eventually(lambda: [queue.get(name) for name in trained], lambda jobs: all(map(trains, jobs)))
    rest_api.submit(a_request("urgent-fix", STEPS, 9, "ml.g5.xlarge", 2))
    eventually(lambda: queue.get("urgent-fix"), trains)
    eventually(queue.pools, lambda found: bool(found["pools"]))
    eventually(queue.queue, lambda found: bool(found["shortages"]))
    yield
    for job in rest_api.jobs():
        rest_api.post(f"/jobs/{job['name']}/cancel")


@pytest.mark.parametrize(("view", "told"), VIEWS, ids=[view for view, _ in VIEWS])
def test_a_view_shows_its_content_and_is_accessible(
    busy: None, open_page: OpenPage, pictures: Pictures, view: str, told: tuple[str | re.Pattern[str], ...]
) -> None:
    page = open_page(view)
    for text in told:
        expect(page.get_by_text(text).first).to_be_visible()
    expect(page.get_by_text(re.compile(r"^updated \d+ s ago$"))).to_be_visible()
    pictures.take(page, view.partition("/")[0])
    assert_every_width(page, page.get_by_text(told[0]).last)


def test_the_list_is_filtered_sorted_saved_and_downloaded(busy: None, open_page: OpenPage) -> None:
    page = open_page()
    field = page.get_by_role("searchbox", name="Name begins with")
    field.press_sequentially("ablation-seed", delay=100)  # the page renders each second
    expect(field).to_have_value("ablation-seed")
    names = page.locator("tbody tr[data-row] th")
    page.get_by_role("button", name="View…").click()
    menu = page.get_by_role("group", name="View of the list")
    menu.get_by_role("checkbox", name="Time limit").check()
    for column in ("Owner", "Instances"):
        menu.get_by_role("checkbox", name=column).uncheck()
    menu.get_by_label("Sort by").select_option("Job ↓")
    expect(names).to_have_text(["ablation-seed-8", "ablation-seed-7"])
    menu.get_by_role("textbox", name="Name of this view").fill("seeds")
    menu.get_by_role("button", name="Save").click()
    expect(menu.get_by_role("link", name="seeds")).to_be_visible()
    with page.expect_download() as begun:
        menu.get_by_role("button", name="Download as CSV").click()
    assert len(Path(begun.value.path()).read_text().splitlines()) == 1 + 2
    assert_every_width(page, names.first)
    menu.get_by_role("button", name="Close").click()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="View, job or team").fill("clip-dist")
    expect(page.get_by_role("option", name="clip-distill", exact=True)).to_be_visible()
    assert_every_width(page, page.get_by_role("option", name="clip-distill", exact=True))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#/job/clip-distill$"))


def test_all_jobs_that_match_are_held_and_another_priority_names_its_victims(busy: None, open_page: OpenPage) -> None:
    page = open_page("now?name=ablation-seed")
    expect(page.locator("tbody tr[data-row]")).to_have_count(2)
    bar, question = page.get_by_role("toolbar"), page.get_by_role("dialog")
    for verb, done in (("Hold", "held"), ("Release", "released")):
        bar.get_by_role("button", name=verb).click()
        expect(question).to_contain_text(f"{verb} 2 jobs?")
        assert_every_width(page, question)
        question.get_by_role("button", name=f"{verb} 2 jobs").click()
        expect(page.get_by_role("status").last).to_contain_text(f"2 jobs {done}")
    page.get_by_role("checkbox", name="Select ablation-seed-7").check()
    bar.get_by_role("button", name="Priority…").click()
    question.get_by_role("spinbutton", name="Priority").fill("10")
    expect(question).to_contain_text("Stops resnet50-imagenet at once.")
    assert_every_width(page, question)


def test_a_queue_that_hangs_is_told_in_a_banner(busy: None, open_page: OpenPage) -> None:
    page = open_page("capacity")
    page.clock.install()
    page.reload()
    expect(page.get_by_text(re.compile(r"^updated \d+ s ago$"))).to_be_visible()

    def hang(route: Route) -> None:
        """Answers nothing."""

    page.route("**/api/**", hang)
    page.clock.run_for(25_000)
    banner = page.get_by_role("alert").filter(has_text="has not answered for")
    assert_every_width(page, banner)
    page.unroute_all(behavior="ignoreErrors")


def test_use_over_a_week_is_drawn_with_its_preemptions(busy: None, open_page: OpenPage) -> None:
    page = open_page("history?days=7")
    section = page.get_by_role("region", name="Instances over time")
    chart = section.get_by_role("img", name="ml.g5.xlarge: held")
    expect(chart).to_have_attribute("aria-label", re.compile("at most; waiting"))
    expect(section.get_by_role("link", name="clip-distill was preempted for urgent-fix")).to_be_visible()
    section.get_by_label("For each").select_option("team")
    expect(section.get_by_role("img", name="vision: held")).to_be_visible()
    assert_every_width(page, section.get_by_role("img", name="vision: held"))


def test_metrics_a_search_in_the_log_and_a_comparison_are_shown_in_a_job(busy: None, open_page: OpenPage) -> None:
    page = open_page("job/llama-lora?with=bert-base-finetune")
    charts = page.get_by_role("region", name="Metrics").get_by_role("img", name="loss")
    expect(charts).to_have_attribute("aria-label", re.compile(r"^loss: 0\.\d+ at last"))
    log = page.get_by_role("region", name="Log")
    log.get_by_role("searchbox", name="Search the log").fill("step 3 of")
    log.get_by_role("searchbox", name="Search the log").press("Enter")
    expect(log.locator("mark").first).to_have_text("step 3 of")
    compared = page.get_by_role("region", name="Compare")
    row = compared.get_by_role("row", name="ResourceConfig.InstanceType")
    expect(row).to_have_text("ResourceConfig.InstanceTypeml.g5.xlargeml.m5.large")
    assert_every_width(page, row)


def test_the_copy_of_a_job_with_alternatives_is_submitted_with_them(
    busy: None, open_page: OpenPage, queue: QueueClient
) -> None:
    page = open_page("submit?from=nightly-report")
    expect(page.get_by_role("textbox", name="Request")).to_have_value(re.compile('"alternatives": '))
    expect(page.get_by_role("region", name="If it were submitted now")).to_contain_text("would stopno job")
    assert_every_width(page, page.get_by_role("textbox", name="Request"))
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile("#/job/nightly-report-2$"))
    assert queue.get("nightly-report-2")["choices"] == queue.get("nightly-report")["choices"]


def test_a_section_is_planned_applied_and_rolled_back(busy: None, open_page: OpenPage, queue: QueueClient) -> None:
    page = open_page("configuration")
    strip = page.get_by_role("region", name="calendar").get_by_role("img", name="Budget of ml.g5.2xlarge")
    expect(strip).to_have_accessible_name(re.compile(" 4"))
    before = queue.config()["version"]
    page.get_by_role("button", name="Edit calendar").click()
    text = page.get_by_role("textbox", name="Text of")
    text.fill(text.input_value().replace("ml.g5.2xlarge: 4", "ml.g5.2xlarge: 5"))
    page.get_by_text("Fields of calendar").click()
    page.get_by_role("button", name="Plan", exact=True).click()
    editor = page.get_by_role("region", name="Edit calendar")
    difference = editor.get_by_role("group", name="Differences of calendar")
    expect(difference).to_contain_text("ml.g5.2xlarge: 5")
    assert_every_width(page, difference)
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_text(f"Applied version {before + 1} of the configuration")).to_be_visible()
    expect(strip).to_have_accessible_name(re.compile(" 5"))
    page.get_by_role("button", name=f"Roll back to version {before}").click()
    page.get_by_role("dialog").get_by_role("button", name="Roll back").click()
    expect(page.get_by_text(f"Applied version {before} again, as version {before + 2}")).to_be_visible()


def test_the_end_of_ones_own_job_is_told_on_the_desktop(busy: None, open_page: OpenPage, rest_api: RestApi) -> None:
    page = open_page()
    page.clock.install()
    page.add_init_script(DESKTOP)
    page.reload()
    page.get_by_role("button", name="View…").click()
    with page.expect_response(re.compile("mine=true&state=")):
        page.get_by_role("checkbox", name="Desktop notifications").check()
    rest_api.post("/jobs/ablation-seed-8/cancel")
    with page.expect_response(re.compile("mine=true&state=")):
        page.clock.run_for(BETWEEN_LOOKS)
    told: list[str] = eventually(lambda: page.evaluate("told"), lambda told: "ablation-seed-8" in "".join(told))
    about = [text.partition(" (")[0] for text in told if text.startswith("ablation-seed-8")]
    assert about == ["ablation-seed-8: stopped"]  # another job may start meanwhile


def assert_every_width(page: Page, content: Locator) -> None:
    """Asserts that the content is there, fits and is accessible at three widths, light and dark."""
    for width in WIDTHS:
        set_width(page, width)
        expect(content).to_be_attached()
        assert faults(page) == []
        for scheme in ("light", "dark"):
            assert not obstacles(page, scheme)
    set_width(page, WIDTHS[0])


def obstacles(page: Page, scheme: Scheme) -> list[str]:
    """Returns the accessibility problems that axe finds."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((seen) => seen.violations)")
    grave = [one for one in found if one["impact"] in {"serious", "critical"}]
    return [f"{scheme}: {one['id']}: {[node['html'] for node in one['nodes'][:3]]}" for one in grave]


def lack(account: LocalAccount, kind: str) -> None:
    """SageMaker has no instances of the type for the rest of the tests."""
    told = {"instance_type": kind, "back_in_seconds": 36_000, "fails_after_seconds": 1}
    address = account.env()["AWS_ENDPOINT_URL_SAGEMAKER"]
    requests.put(
        f"{address}/_control/capacity", json=told, headers={KEY_HEADER: account.key}, timeout=10
    ).raise_for_status()
