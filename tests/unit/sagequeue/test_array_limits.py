"""The client checks the arrays of a workflow by the same limits as the queue."""

from sagequeue.documents import placeholders as of_client
from sagequeue.workflows import array_check
from scheduler.core.requests.arrays import parameters
from scheduler.core.requests.arrays import placeholders as of_queue
from scheduler.queue import array_submission


def test_the_client_allows_placeholders_where_the_queue_does() -> None:
    assert of_client._PLACES.pattern == of_queue._WITH_PLACEHOLDERS.pattern


def test_the_client_and_the_queue_have_the_same_limits() -> None:
    limits = (array_check.MOST_CHILDREN, array_check.LONGEST_NAME)
    assert limits == (parameters.MOST_CHILDREN, array_submission._LONGEST_NAME)
