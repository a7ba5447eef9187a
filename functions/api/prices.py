"""The calls on what instances cost."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api.asking import caller
from api.document_reading import replaced_version, text_body
from api.price_answers import Prices
from api.price_views import prices_view
from scheduler import wiring
from scheduler.policy.callers.permissions import Verb

router = APIGatewayRouter()


@router.get("/prices")
def show_prices() -> Prices:
    return prices_view(*wiring.price_book().show())


@router.put("/prices")
def apply_prices() -> Prices:
    wiring.access().require(Verb.OPERATE, caller(router))
    return prices_view(*wiring.price_book().apply(text_body(router), caller(router), replaced_version(router)))
