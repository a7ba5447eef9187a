"""The emulator gives the answers of the conformance table."""

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.table import TABLE, Row
from unit.local_sagemaker.situations import a_job_that_is


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.fact}-{row.call}-{row.state}")
def test_the_answer_equals_that_of_the_table(row: Row) -> None:
    client = a_job_that_is(row.state, row.request).client()
    if isinstance(row.answer, dict):
        answer = getattr(client, row.call)(**row.parameters)
        assert {name: answer[name] for name in row.answer} == row.answer
    else:
        with pytest.raises(ClientError) as refused:
            getattr(client, row.call)(**row.parameters)
        error = refused.value.response["Error"]
        assert (error["Code"], error["Message"]) == row.answer
