"""The calls on what may be spent in a month."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api.asking import caller
from api.document_reading import replaced_version, text_body
from api.spending_answers import Spending
from api.spending_views import spending_view
from scheduler import wiring
from scheduler.document_refusals import BadSpending
from scheduler.domain.document import Document
from scheduler.policy.callers.permissions import Verb

router = APIGatewayRouter()


@router.get("/spending")
def show_spending() -> Spending:
    return _shown(wiring.spending_control().show())


@router.put("/spending")
def apply_spending() -> Spending:
    wiring.access().require(Verb.OPERATE, caller(router))
    return _shown(wiring.spending_control().apply(text_body(router), caller(router), replaced_version(router)))


def _shown(document: Document | None) -> Spending:
    try:
        of_month = wiring.spending_book().of_month(wiring.job_store().live())
    except BadSpending:
        of_month = None
    return spending_view(document, of_month, wiring.prices().now(), wiring.clock().now())
