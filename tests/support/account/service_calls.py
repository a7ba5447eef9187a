"""Passes the calls of functions on to the simulated services, and injects faults."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar

from botocore.exceptions import ClientError, ReadTimeoutError

from local_sagemaker.api.operations import call_operation
from local_sagemaker.errors import AwsError, limit_exceeded, throttled
from local_sagemaker.state_machine.fault_injection import Fault, Unanswered
from support.dynamodb.client import TransactionCanceled
from support.faults.call_faults import Call, Fate
from support.faults.fault_points import Killed

if TYPE_CHECKING:
    from support.account.account_services import AccountServices
    from support.account.processes import Process
    from support.dynamodb.table import Key

_Result = TypeVar("_Result")

#: Members of requests that name a job.
_NAMES = ("TrainingJobName", "HyperParameterTuningJobName", "ProcessingJobName", "AutoMLJobName", "ResourceArn")
#: Why DynamoDB cancels a transaction that may succeed later, in turn.
_TRANSIENT = ("TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded")
#: A paused function may continue until this many seconds after its start. By then, its lease of 90 seconds has expired.
LONGEST_LIFE = 95.0
#: An abandoned call may take effect until this many seconds after the start of its function.
LATEST_EFFECT = LONGEST_LIFE + 10
#: The limit for a function paused before a transaction: the condition on the lease rejects a late transaction.
LONGEST_LIFE_BEFORE_TRANSACTION = 400.0


class ServiceCalls:
    """Passes calls on. `on_call` receives each call that reaches a service, `on_effect` each call that changes the
    table, and `on_object` each S3 object that a function writes.
    """

    def __init__(self, account: AccountServices) -> None:
        self._account = account
        self.objects: dict[str, bytes] = {}
        self.replaced: set[str] = set()  # keys of objects that somebody replaced
        self.count = 0
        self.on_call: Callable[[Call], object] = lambda _call: None
        self.on_object: Callable[[str, bytes], object] = lambda _key, _content: None
        self.on_effect: Callable[[Process, str, str], object] = lambda _process, _operation, _about: None

    def to_table(self, operation: str, keys: tuple[Key, ...], perform: Callable[[], _Result]) -> _Result:
        return self.pass_on("dynamodb", operation, " ".join(map("/".join, keys)), perform)

    def put_object(self, **call: Any) -> None:
        self.pass_on("s3", "PutObject", call["Key"], lambda: self._write(call["Key"], call["Body"]))

    def _write(self, key: str, content: bytes) -> None:
        self.objects[key] = content
        self.on_object(key, content)

    def replace(self, key: str, content: bytes) -> None:
        """Replaces an object, as any caller with permission to write to the bucket could."""
        self.objects[key] = content
        self.replaced.add(key)

    def get_object(self, **call: Any) -> dict[str, Any]:
        content = self.pass_on("s3", "GetObject", call["Key"], lambda: self.objects.get(call["Key"]))
        if content is None:
            answer: Any = {"Error": {"Code": "NoSuchKey", "Message": ""}, "ResponseMetadata": {"HTTPStatusCode": 404}}
            raise ClientError(answer, "GetObject")
        return {"ContentLength": len(content), "Body": BytesIO(content)}

    def to_sagemaker(self, operation: str, parameters: dict[str, Any]) -> Fault | None:
        """Chooses the fault for a call to SageMaker. The client sends the call only once."""
        process = self._account.processes.current
        if process is None:
            return None
        name = _name_in(parameters)
        fate = self._reach(process, "sagemaker", operation, name)
        match fate:
            case Fate.DIES_AFTER:
                process.dies_after_call = True
            case Fate.FAILS:
                return Fault(error=Unanswered())
            case Fate.LOSES_ANSWER:
                return Fault(error=Unanswered(), takes_effect=True)
            case Fate.COMES_LATE:
                late = self._account.now + self._account.fault_plan.late_effect(operation)
                late = min(late, process.started_at + LATEST_EFFECT)
                self._account.agenda.at(late, partial(self._take_effect, operation, parameters))
                return Fault(error=Unanswered())
            case Fate.IS_THROTTLED:
                return Fault(error=throttled())
            case Fate.IS_REFUSED:
                quoted = f"Could not assume role; Value '{parameters.get('HyperParameters')}' is not to blame"
                return Fault(error=AwsError("ValidationException", quoted))
            case Fate.IS_OVER_QUOTA:
                return Fault(error=limit_exceeded("ml.m5.large for training job usage", 100, 100, requested=1))
        return None

    def after_sagemaker(self, **_: object) -> None:
        process = self._account.processes.current
        if process is not None and process.dies_after_call:
            raise Killed

    def pass_on(self, service: str, operation: str, about: str, perform: Callable[[], _Result]) -> _Result:
        """Performs a call to a service other than SageMaker. The client resends a call that gets no answer."""
        process = self._account.processes.current
        if process is None:
            return perform()
        fate = self._reach(process, service, operation, about)
        if fate is not Fate.WORKS:
            process.failed_services.add(service)
        match fate:
            case Fate.FAILS:
                raise ReadTimeoutError(endpoint_url=service)
            case Fate.IS_THROTTLED:
                raise _throttled(service, operation)
            case Fate.CONFLICTS:
                raise _cancelled(len(about.split()), _TRANSIENT[self.count % len(_TRANSIENT)])
        result = self._perform(process, operation, about, perform)
        match fate:
            case Fate.DIES_AFTER:
                raise Killed
            case Fate.LOSES_ANSWER:
                raise ReadTimeoutError(endpoint_url=service)
            case Fate.IS_RESENT:
                self._account.processes.wait(0.5)
                return self._perform(process, operation, about, perform)
        return result

    def _perform(self, process: Process, operation: str, about: str, perform: Callable[[], _Result]) -> _Result:
        before = self._account.table.writes
        result = perform()
        if self._account.table.writes > before:  # a resent transaction changes nothing
            self.on_effect(process, operation, about)
        return result

    def _reach(self, process: Process, service: str, operation: str, about: str) -> Fate:
        """Waits until the call reaches the service, and returns the call's fate."""
        self.count += 1
        call = Call(process.function, service, operation, self.count, about, self._account.now)
        verdict = self._account.report_faults.verdict_on(call) or self._account.fault_plan.verdict_on(call)
        longest = LONGEST_LIFE_BEFORE_TRANSACTION if operation == "TransactWriteItems" else LONGEST_LIFE
        pause = max(0.0, min(verdict.pauses, process.started_at + longest - self._account.now))
        process.dies_at += pause
        process.delayed_by += verdict.takes + pause
        self._account.processes.wait(verdict.takes + pause)
        mark = "" if verdict.fate is Fate.WORKS else f"  << {verdict.fate}"
        self._account.note(f"  {process.function}: {operation} {about}{mark}")
        if verdict.fate is Fate.DIES_BEFORE:
            raise Killed
        self.on_call(call)
        return verdict.fate

    def _take_effect(self, operation: str, parameters: dict[str, Any]) -> None:
        self._account.note(f"  late: {operation} {_name_in(parameters)}")
        try:
            call_operation(self._account.simulation.machine, operation, parameters, self._account.now)
        except AwsError as error:
            self._account.note(f"  refused: {error}")
        self._account.simulation.run(0)


def _name_in(parameters: dict[str, Any]) -> str:
    return next((str(parameters[member]) for member in _NAMES if member in parameters), "")


def _throttled(service: str, operation: str) -> ClientError:
    code, status = ("SlowDown", 503) if service == "s3" else ("ProvisionedThroughputExceededException", 400)
    error = {"Code": code, "Message": "Slow down"}
    answer: Any = {"Error": error, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, operation)


def _cancelled(actions: int, code: str) -> ClientError:
    reasons = [{"Code": code}, *({"Code": "None"} for _ in range(actions - 1))]
    answer: Any = {"Error": {"Code": "TransactionCanceledException", "Message": ""}, "CancellationReasons": reasons}
    return TransactionCanceled(answer, "TransactWriteItems")
