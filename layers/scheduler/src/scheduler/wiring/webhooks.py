"""Builds the webhook sender from the two settings that its function needs."""

import os
from functools import cache

from scheduler.adapters.aws.notices.signing_secret import SigningSecret
from scheduler.adapters.https.webhook_sender import Network, WebhookSender, internet
from scheduler.settings import webhook_hosts_in
from scheduler.wiring import shared


@cache
def network() -> Network:
    return internet()


@cache
def signing_secret() -> SigningSecret:
    client = shared.client("secretsmanager", config=shared.PATIENT)
    return SigningSecret(client, os.environ["WEBHOOK_SECRET"], shared.clock())


@cache
def sender() -> WebhookSender:
    return WebhookSender(webhook_hosts_in(os.environ), signing_secret().value, shared.clock(), network())
