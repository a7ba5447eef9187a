"""A home of Airflow for one run of the tests, and the fakes of the client's tests."""

import os
import tempfile
from pathlib import Path

# Airflow reads these when it is imported.
HOME = Path(tempfile.mkdtemp(prefix="airflow-"))
os.environ |= {
    "AIRFLOW_HOME": str(HOME),
    "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    "AIRFLOW__CORE__UNIT_TEST_MODE": "True",
    "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{HOME}/airflow.db",
    "AIRFLOW__LOGGING__LOGGING_LEVEL": "WARNING",
}

from integration.sagequeue.conftest import client, clock, credentials, queue, terminal  # noqa: E402 - after Airflow's home

__all__ = ["client", "clock", "credentials", "queue", "terminal"]
