"""The calls on what may be spent in a month."""

from api.call import Call
from api.replaced_version import replaced_version
from api.spending_answers import Spending
from api.spending_views import spending_view
from scheduler import operator_wiring, wiring
from scheduler.document_refusals import BadSpending
from scheduler.domain.document import Document
from scheduler.policy.callers.permissions import Verb


def show_spending(_call: Call) -> Spending:
    return _shown(operator_wiring.spending_control().show())


def apply_spending(call: Call) -> Spending:
    wiring.access().require(Verb.OPERATE, call.caller)
    return _shown(operator_wiring.spending_control().apply(call.body, call.caller, replaced_version(call)))


def _shown(document: Document | None) -> Spending:
    try:
        of_month = wiring.spending_book().of_month(wiring.job_store().live())
    except BadSpending:
        of_month = None
    return spending_view(document, of_month, wiring.prices().now(), wiring.clock().now())
