"""AWS's own scripts that start the user's: they expect a container, with its files in /opt/ml."""

import re
import shlex

from local_sagemaker.script_runner.host.sandbox import Sandbox

#: The channels in which SDK v3's ModelTrainer, and @remote, bring them.
DRIVER_CHANNELS = frozenset({"sm_drivers", "sagemaker_remote_function_bootstrap"})
# Where a function is called by a Python of its own. The two words are of one length, as a look-behind has to be.
_INVOKE = re.compile(r'(?<=python |mpi4py )-m (sagemaker(?:\.core)?\.remote_function)\.invoke_function(?= "\$@")')


def relocated(script: str, sandbox: Sandbox) -> str:
    """The script with the sandbox's paths, also that of the failure file, which @remote has in a module of the SDK."""
    return _INVOKE.sub(lambda call: f"-c {shlex.quote(_invoke(call[1], sandbox))}", sandbox.mapped(script))


def _invoke(package: str, sandbox: Sandbox) -> str:
    return (
        f"import sys; from {package} import errors, invoke_function; "
        f"errors.FAILURE_REASON_PATH = {str(sandbox.failure)!r}; invoke_function.main(sys.argv[1:])"
    )
