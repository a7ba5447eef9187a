"""A resent transaction takes effect once, and judges see it once."""

from support.account.account import Account
from support.account.simulated_queue import request
from support.faults.call_faults import Call, Fate, NoFaults, Verdict


class Forgetful(NoFaults):
    """The answer to each transaction is lost."""

    def verdict_on(self, call: Call) -> Verdict:
        return Verdict(Fate.IS_RESENT if call.operation == "TransactWriteItems" else Fate.WORKS)


def test_a_transaction_takes_effect_once_however_often_it_is_sent() -> None:
    account = Account(Forgetful())
    effects: list[str] = []
    account.service_calls.on_effect = lambda process, operation, _: effects.append(f"{process.function}: {operation}")
    assert account.ask("POST", "/add-job", request("resnet")).status == 201
    assert effects.count("api: TransactWriteItems") == 1
    account.close()
