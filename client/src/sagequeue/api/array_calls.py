"""The calls to the API about arrays: submit, list and show them, and act on all their jobs."""

from typing import cast

from sagequeue.api.job_calls import JOB_NAME
from sagequeue.api.transport import Connection
from sagequeue.contract.arrays import Array, Arrays, Parameters, SubmittedArray
from sagequeue.contract.jobs import JobOptions, TrainingRequest
from sagequeue.errors import UnknownArray


class ArrayCalls(Connection):
    """Makes the API calls about arrays."""

    def submit_array(
        self,
        request: TrainingRequest,
        parameters: Parameters,
        options: JobOptions | None = None,
        *,
        at_most: int | None = None,
        most_failures: int | None = None,
        client_token: str | None = None,
    ) -> SubmittedArray:
        """Submits a job for each set of parameters. The request contains placeholders such as `${lr}`.

        At most `at_most` jobs run at once. After more than `most_failures` failed jobs, no further job starts.
        Until the array ends, repeating the submission returns the same array. Later, it needs a client token to do so.
        """
        body = {
            "request": request,
            "parameters": parameters,
            "options": options,
            "at_most": at_most,
            "most_failures": most_failures,
            "client_token": client_token,
        }
        given = {member: value for member, value in body.items() if value is not None}
        if_lost = "The array may have been submitted: check `sagequeue arrays`. Submitting it again is safe."
        return cast(SubmittedArray, self._call("POST", "/arrays", given, if_lost))

    def arrays(self) -> list[Array]:
        """Returns up to 100 unfinished arrays in queue order, then up to 100 finished ones, last finished first."""
        return cast(Arrays, self._call("GET", "/arrays"))["arrays"]

    def array(self, name: str) -> Array:
        """Returns an array with its progress. Raises UnknownArray."""
        return cast(Array, self._call("GET", _path(name)))

    def cancel_array(self, name: str) -> Array:
        """Cancels all unfinished jobs in an array, and creates no more."""
        return self._change_array(name, "cancel")

    def hold_array(self, name: str) -> Array:
        """Holds the waiting jobs in an array. The queue creates no more until the array is released."""
        return self._change_array(name, "hold")

    def release_array(self, name: str) -> Array:
        """Releases a held array and its held jobs."""
        return self._change_array(name, "release")

    def set_array_priority(self, name: str, priority: int) -> Array:
        """Changes the priority of all unfinished jobs in an array."""
        return self._change_array(name, "priority", {"priority": priority})

    def approve_array(self, name: str, *, max_runtime: int | None = None) -> Array:
        """Approves all jobs in an array that needs an approval, also the jobs to come.

        Raises NotPermitted unless you are an operator who does not own the array. Pass the time limit that you have
        seen as `max_runtime`, in seconds.
        """
        return self._change_array(name, "approve", None if max_runtime is None else {"max_runtime": max_runtime})

    def _change_array(self, name: str, verb: str, body: dict[str, int] | None = None) -> Array:
        if_lost = f"The change may have been made: check `sagequeue arrays show {name}`. Repeating it is safe."
        return cast(Array, self._call("POST", f"{_path(name)}/{verb}", body, if_lost))


def _path(name: str) -> str:
    if not JOB_NAME.fullmatch(name):
        raise UnknownArray(f"{name!r} is not a valid name.", "Run `sagequeue arrays` to list the arrays.")
    return f"/arrays/{name}"
