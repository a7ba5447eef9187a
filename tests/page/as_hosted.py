"""Turns the page of a fake queue into the hosted page of a signed-in person, without a user pool."""

import json
import time

from playwright.sync_api import Page, Route

from integration.sagequeue.fakes.http import Call
from page.crowd import Crowd

_HOUR = 3600
_SESSION = {"token": "jwt", "person": "p", "name": "ada@example.com", "ahead": 0}


def as_hosted(page: Page, crowd: Crowd) -> None:
    """Loads the page again as the hosted page, whose API is the fake queue."""
    origin = page.url.partition("/#")[0]
    names = ("region", "sign_in", "client", "user_pool", "identity_pool")
    settings = {**dict.fromkeys(names, "x"), "api": f"{origin}/v1", "identities": f"{origin}/identities"}
    until = time.time() + _HOUR
    keys = {"AccessKeyId": "ASIA", "SecretKey": "s", "SessionToken": "t", "Expiration": until}
    session = json.dumps({**_SESSION, "expires": until * 1000})

    def answer(route: Route) -> None:
        sent = route.request
        call = Call(sent.method, sent.url.removeprefix(settings["api"]), sent.headers, sent.post_data_buffer or b"")
        status, content = crowd.answer(call)
        route.fulfill(status=status, json=content)

    page.route("**/hosted.json", lambda route: route.fulfill(json=settings))
    page.route("**/identities", lambda route: route.fulfill(json={"IdentityId": "i", "Credentials": keys}))
    page.route("**/v1/**", answer)
    page.evaluate("session => localStorage.setItem('session', session)", session)
    page.reload()
