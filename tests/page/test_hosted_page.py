"""The hosted page: people sign in, act, and the queue knows who did what. `hosted_site.py` says what is simulated."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

import boto3
import pytest
from playwright.sync_api import Browser, Page, expect

from local_account import LocalAccount, Settings, free_port
from local_account.stack import ROLE_ARN
from page.conftest import Chromium
from page.hosted_site import HostedSite, certificate_in, serving
from page.oidc_provider import ISSUER, NAME, OidcProvider, allow_only, running
from sagequeue import QueueClient
from sagequeue.errors import QueueError
from support.account.simulated_queue import request
from support.checkout import CHECKOUT
from support.deployed.waiting import eventually

PASSWORD = "Correct-Horse-9-Battery"
#: All three are known to the team's provider, which claims for each that they are operators.
GROUPS = {"ada": "users", "bob": "operators"}


class OpenAs(Protocol):
    def __call__(self, name: str, view: str = "now") -> Page: ...


@pytest.fixture(scope="module")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAccount]:
    settings = Settings(port=free_port(), sagemaker_port=free_port(), startup_seconds=0.5, budget="ml.m5.large=1")
    with LocalAccount(settings, home=tmp_path_factory.mktemp("hosted")) as account:
        yield account


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate_in(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def provider(certificate: Path) -> Iterator[OidcProvider]:
    with running(certificate, "https://team.auth.us-east-1.amazoncognito.com/oauth2/idpresponse") as provider:
        yield provider


@pytest.fixture(scope="module")
def site(account: LocalAccount, provider: OidcProvider) -> HostedSite:
    """Deploys the page's stack, then the queue with its output, and registers the provider."""
    session, endpoint = account.session(), account.settings.endpoint
    outputs = _deployed(session, endpoint, "create")
    account.settings = replace(account.settings, parameters={"HostedPage": outputs["HostedPage"]})
    account.up()
    outputs = _deployed(session, endpoint, "update")  # ministack gives an updated API another id; AWS keeps it
    site = HostedSite(session, account.key, endpoint, account.env()["SAGEQUEUE_API_URL"], outputs)
    provider.register(session.client("cognito-idp", endpoint_url=endpoint), outputs, site.settings["client"])
    queue = QueueClient(site.api_url, session)
    queue.apply_config(json.dumps(_callers(outputs)), "callers")
    queue.set_budget({"ml.m5.large": 0})  # so that jobs wait
    return site


def _deployed(session: boto3.Session, endpoint: str, action: Literal["create", "update"]) -> dict[str, str]:
    """Deploys the page's stack for the queue's API, and returns its outputs."""
    stacks = session.client("cloudformation", endpoint_url=endpoint)

    def found(name: str) -> tuple[str, dict[str, str]]:
        (stack,) = stacks.describe_stacks(StackName=name)["Stacks"]
        return stack["StackStatus"], {one["OutputKey"]: one["OutputValue"] for one in stack.get("Outputs", [])}

    api = found("sagequeue")[1]["ApiUrl"]
    given = {"ApiUrl": api, "ApiId": re.split(r"[/.]", api)[2], "SignInPrefix": "team"}
    getattr(stacks, f"{action}_stack")(
        StackName="page",
        TemplateBody=(CHECKOUT / "stacks/page.yaml").read_text(),
        Capabilities=["CAPABILITY_IAM"],
        Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in given.items()],
    )
    status, outputs = eventually(lambda: found("page"), lambda stack: "PROGRESS" not in stack[0])
    assert status == f"{action.upper()}_COMPLETE"
    return outputs


def _callers(outputs: dict[str, str]) -> list[dict[str, Any]]:
    def entry(name: str, role: str, *verbs: str) -> dict[str, Any]:
        return {"name": name, "principals": [f"role/{role}"], "verbs": [*verbs], "execution_roles": ["*"]}

    users = entry("users", outputs["UserRole"], "submit", "control_own")
    operators = entry("operators", outputs["OperatorRole"], "submit", "control_own", "operate")
    readers = {"name": "readers", "principals": ["person/*"], "verbs": []}
    return [users, operators, readers]


@pytest.fixture(scope="module")
def browser(site: HostedSite, provider: OidcProvider, certificate: Path, chromium: Chromium) -> Iterator[Browser]:
    """A browser, and three people: each has signed in once, and two of them are then put into groups."""
    with serving(site, certificate) as port:
        ports = dict.fromkeys(site.hosts(), port) | {urlsplit(ISSUER).netloc: provider.for_browsers}
        hosts = [f"MAP {host}:443 127.0.0.1:{port}" for host, port in ports.items()]
        names = ",".join([*hosts, "MAP fonts.googleapis.com ~NOTFOUND"])  # the provider's pages ask for it
        with chromium("--ignore-certificate-errors", f"--host-resolver-rules={names}") as browser:
            pools = site.session.client("cognito-idp", endpoint_url=site.endpoint)
            for name, group in GROUPS.items():
                with _opened(browser, site, name) as window:
                    expect(window.get_by_role("link", name="Submit", exact=True)).to_have_count(0)
                user = {"UserPoolId": site.outputs["UserPoolId"], "Username": f"{NAME}_{name}"}
                pools.admin_add_user_to_group(**user, GroupName=group)
            yield browser


@contextmanager
def _opened(browser: Browser, site: HostedSite, name: str, view: str = "now") -> Iterator[Page]:
    """Opens the page in a separate browser, in which the person then signs in. Errors of scripts fail the test."""
    problems: list[str] = []
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 1360, "height": 820})
    context.on("weberror", lambda error: problems.append(str(error.error)))
    window = context.new_page()
    window.goto(f"{site.origin}/#/{view}")
    sign_in(window, name)
    expect(window.locator("header .me")).to_have_text(f"{name}@example.com", timeout=30_000)
    yield window
    context.close()
    assert not problems


@pytest.fixture
def open_as(browser: Browser, site: HostedSite) -> Iterator[OpenAs]:
    with ExitStack() as undo:
        yield lambda name, view="now": undo.enter_context(_opened(browser, site, name, view))
    assert not site.refused


def sign_in(window: Page, name: str) -> None:
    """Signs in at the provider, on its own page."""
    expect(window).to_have_url(re.compile(f"^{ISSUER}/interaction/"))
    window.get_by_placeholder("Enter any login").fill(name)
    window.get_by_placeholder("and password").fill("any")
    window.get_by_role("button", name="Sign-in").click()


def person_of(window: Page) -> str:
    found: str = window.evaluate("JSON.parse(localStorage.session).person")
    return found


def test_people_sign_in_act_and_the_history_shows_who_did_what(
    open_as: OpenAs, site: HostedSite, account: LocalAccount
) -> None:
    ada = open_as("ada", "submit")
    expect(ada).to_have_url(re.compile(r"net/#/submit$"))  # the link survives the sign-in, without the code
    ada.get_by_role("textbox", name="Request").fill(json.dumps(request("hers", RoleArn=ROLE_ARN)))
    ada.get_by_role("button", name="Submit", exact=True).click()
    expect(ada.get_by_role("status").filter(has_text="hers submitted")).to_be_visible()
    bob = open_as("bob", "job/hers")
    bob.get_by_role("toolbar").get_by_role("button", name="Hold").click()
    activity = bob.get_by_role("region", name="Activity")
    expect(activity.get_by_text("bob@example.com")).to_be_visible(
        timeout=150_000
    )  # the API keeps names for a minute, and the page reads them once a minute
    expect(bob.get_by_title(f"/{person_of(ada)}")).to_have_text("ada@example.com")  # her job
    queue = QueueClient(account.env()["SAGEQUEUE_API_URL"], account.session())
    assert queue.get("hers")["owner"].rpartition("/")[2] == person_of(ada)

    def authors() -> set[str]:
        return {done["by"].rpartition("/")[2] for change in queue.history(job="hers") for done in change["done"]}

    eventually(authors, lambda found: person_of(bob) in found)


def test_a_person_in_no_group_reads_only(open_as: OpenAs, site: HostedSite) -> None:
    carol = open_as("carol")
    expect(carol.get_by_role("link", name="Capacity")).to_be_visible()
    expect(carol.get_by_role("link", name="Submit", exact=True)).to_have_count(0)
    keys = site.issued_last
    session = boto3.Session(keys.access_key, keys.secret_key, keys.token, "us-east-1")
    theft = QueueClient(site.api_url, session)  # with the keys that the browser has
    assert theft.whoami()["principal"] == f"person/{person_of(carol)}"
    with pytest.raises(QueueError, match="does not allow this call"):
        theft.submit(request("forbidden", RoleArn=ROLE_ARN))


def test_a_form_survives_the_end_of_the_session_and_a_sign_in_in_another_tab(open_as: OpenAs) -> None:
    ada = open_as("ada", "submit")
    ada.get_by_role("textbox", name="Request").fill("half of a request")
    ada.evaluate("localStorage.session = JSON.stringify({...JSON.parse(localStorage.session), expires: 0})")
    ended = ada.get_by_role("alert").filter(has_text="Your session has ended.")
    expect(ended).to_be_visible()
    with ada.context.expect_page() as opened:
        ended.get_by_role("link").click()
    expect(opened.value.get_by_role("button", name="Sign out")).to_be_visible()  # the provider still knows her
    expect(ended).to_have_count(0)
    expect(ada.get_by_role("textbox", name="Request")).to_have_value("half of a request")


def test_a_sign_out_empties_the_other_tabs(open_as: OpenAs) -> None:
    """The next person at the machine must not read them."""
    ada = open_as("ada", "capacity")
    other = ada.context.new_page()
    other.goto(ada.url)
    other.get_by_role("button", name="Sign out").click()
    expect(ada.locator("body")).to_have_text("SageQueueSign in")
    expect(other.locator("body")).to_have_text("SageQueueSign in")
    assert ada.evaluate("localStorage.session") is None
    assert ada.url.endswith("?signed-out#/capacity")
    ada.get_by_role("button", name="Sign in").click()  # the provider still knows her
    expect(ada).to_have_url(re.compile(r"net/#/capacity$"))


def test_a_tab_loads_again_when_another_person_signs_in(open_as: OpenAs) -> None:
    ada = open_as("ada", "submit")
    ada.get_by_role("textbox", name="Request").fill("half of a request")
    other = ada.context.new_page()
    other.goto(ada.url)
    expect(other.get_by_role("button", name="Sign out")).to_be_visible()
    other.evaluate("localStorage.session = JSON.stringify({...JSON.parse(localStorage.session), expires: 0})")
    other.goto(f"{ISSUER}/session/end")  # she signs out at the provider, not at the page
    other.get_by_role("button", name="Yes, sign me out").click()
    other.goto(ada.url)
    sign_in(other, "bob")
    expect(ada.locator("header .me")).to_have_text("bob@example.com", timeout=30_000)
    expect(ada.get_by_role("textbox", name="Request")).to_have_value("")


def test_the_session_of_a_removed_person_ends(open_as: OpenAs, site: HostedSite) -> None:
    carol = open_as("carol", "capacity")
    pools = site.session.client("cognito-idp", endpoint_url=site.endpoint)
    user = {"UserPoolId": site.outputs["UserPoolId"], "Username": f"{NAME}_carol"}
    pools.admin_disable_user(**user)
    carol.reload()  # the credentials at hand last up to an hour
    expect(carol.get_by_role("alert").filter(has_text="Your session has ended.")).to_be_visible()
    assert carol.evaluate("JSON.parse(localStorage.session).token") == ""
    pools.admin_enable_user(**user)


def test_a_link_leads_to_no_other_call(open_as: OpenAs) -> None:
    """A browser resolves the name of this job."""
    carol = open_as("carol", "capacity")
    calls: list[str] = []
    carol.on("request", lambda sent: calls.append(urlsplit(sent.url).path))
    carol.goto(f"{carol.url.partition('#')[0]}#/job/..")
    expect(carol.get_by_role("alert").filter(has_text="does not have this path")).to_be_visible()
    assert not {"/v1/", "/v1/why"} & {*calls}


def test_a_wrong_clock_does_not_matter(browser: Browser, site: HostedSite) -> None:
    context = browser.new_context(ignore_https_errors=True)
    window = context.new_page()
    window.add_init_script("const now = Date.now; Date.now = () => now() - 40 * 60000;")
    window.goto(site.origin)
    sign_in(window, "ada")
    expect(window.locator(".counts")).to_be_visible()
    assert not site.refused
    context.close()


def test_a_sign_in_that_another_tab_began_signs_nobody_in(browser: Browser, site: HostedSite) -> None:
    """A stranger's link must not make people act as the stranger."""
    context = browser.new_context(ignore_https_errors=True)
    window = context.new_page()
    window.goto(f"{site.origin}/?code=of-a-stranger&state=of-a-stranger")
    expect(window).to_have_url(re.compile(f"^{ISSUER}/"))  # its own sign-in begins instead
    window.goto(f"{site.origin}/?code=of-a-stranger&state=of-a-stranger")
    expect(window.get_by_role("alert")).to_contain_text("The sign-in failed.")
    assert window.evaluate("localStorage.session") is None
    context.close()


def test_a_script_of_another_host_does_not_run(open_as: OpenAs) -> None:
    ada = open_as("ada")
    with ada.expect_console_message(lambda said: "Content Security Policy" in said.text):
        ada.evaluate(
            "document.head.append(Object.assign(document.createElement('script'), {src: '//evil.example/x.js'}))"
        )


def test_an_error_of_the_sign_in_page_is_shown_once_and_does_not_repeat(browser: Browser, site: HostedSite) -> None:
    context = browser.new_context(ignore_https_errors=True)
    window = context.new_page()
    window.goto(f"{site.origin}/?error=invalid_request&error_description=Call+0800+555")
    expect(window.get_by_role("alert")).to_contain_text("refused the request (error invalid_request)")
    expect(window.locator("body")).not_to_contain_text("0800")
    window.get_by_role("button", name="Sign in").click()
    expect(window).to_have_url(re.compile(f"^{ISSUER}/"))
    context.close()


def test_users_of_the_pool_itself_sign_in_with_a_password(browser: Browser, site: HostedSite) -> None:
    """As in a stack without a provider."""
    pools, pool = site.session.client("cognito-idp", endpoint_url=site.endpoint), site.outputs["UserPoolId"]
    mail = [{"Name": "email", "Value": "dan@example.com"}]
    dan = {"UserPoolId": pool, "Username": "dan"}
    pools.admin_create_user(**dan, UserAttributes=mail, TemporaryPassword=PASSWORD, MessageAction="SUPPRESS")
    pools.admin_set_user_password(**dan, Password=PASSWORD, Permanent=True)
    allow_only(pools, pool, site.settings["client"], "COGNITO")
    context = browser.new_context(ignore_https_errors=True)
    window = context.new_page()
    window.goto(site.origin)
    window.get_by_label("Username").fill("dan")
    window.get_by_label("Password").fill(PASSWORD)
    window.get_by_role("button", name="Sign in").click()
    expect(window.locator("header .me")).to_have_text("dan@example.com")
    context.close()
    allow_only(pools, pool, site.settings["client"], NAME)
