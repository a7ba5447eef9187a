"""The account's answer to the question whether it issued a key."""

from http import HTTPStatus

from integration.sagequeue.fakes.http import Call, serving
from local_guard.rule import KEY_HEADER
from local_sagemaker.server.issued_keys import IssuedKeys

KEY = "LOCAL0123456789ABCDEF"


class Account:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, call: Call) -> tuple[int, str]:
        headers = {name.lower(): value for name, value in call.headers.items()}
        assert headers[KEY_HEADER] == KEY
        self.asked.append(call.path)
        return (HTTPStatus.OK if call.path == "/_account/issued/ASIA1" else HTTPStatus.NOT_FOUND), ""


def test_an_issued_key_is_asked_for_once_and_another_one_each_time() -> None:
    account = Account()
    with serving(account) as url:
        is_issued = IssuedKeys(url, KEY)
        assert [is_issued("ASIA1"), is_issued("ASIA1")] == [True, True]
        assert [is_issued("../reset?"), is_issued("../reset?")] == [False, False]
    assert account.asked == ["/_account/issued/ASIA1", *["/_account/issued/..%2Freset%3F"] * 2]


def test_an_account_without_an_answer_has_issued_none() -> None:
    with serving(Account()) as url:
        pass
    assert not IssuedKeys(url, KEY)("ASIA1")
