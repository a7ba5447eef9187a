"""Reads a document that an operator sends, and which version it is to replace."""

import re

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from scheduler.refusals import BadRequest


def text_body(router: APIGatewayRouter) -> str:
    """As it was sent, not parsed, so that what is wrong with it has a line."""
    return router.current_event.decoded_body or ""


def replaced_version(router: APIGatewayRouter) -> int | None:
    """Raises BadRequest."""
    text = (router.current_event.query_string_parameters or {}).get("replaces")
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,8}", text):
        remedy = "Pass the version that GET gave, or leave it out."
        raise BadRequest(f"{text[:20]!r} is not a version of the document", field="replaces", remedy=remedy)
    return int(text)
