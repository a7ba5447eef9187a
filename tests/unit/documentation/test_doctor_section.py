"""docs/reference/cli.md lists every call of the API that `sagequeue doctor` does not test."""

import json
import re

from sagequeue.cli.doctor.permissions import PERMISSIONS
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs/reference/cli.md").read_text()
API = json.loads((CHECKOUT / "docs/openapi.json").read_text())


def test_the_page_lists_exactly_the_calls_that_doctor_omits() -> None:
    section = PAGE.partition("## Checks that `doctor` omits\n")[2].partition("\n## ")[0]
    listed = re.findall(r"`((?:GET|PUT|POST|DELETE) /[^`]+)`", section)
    tested = {f"{one.method} {one.path.partition('?')[0].replace('no.job', '{name}')}" for one in PERMISSIONS}
    calls = {
        f"{method.upper()} {path}"
        for path, methods in API["paths"].items()
        for method in methods
        if method in {"get", "put", "post", "delete"}
    }
    assert tested < calls
    assert sorted(listed) == sorted(calls - tested)
