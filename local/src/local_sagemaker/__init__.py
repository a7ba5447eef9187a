"""Emulates SageMaker Training: answers its API on this machine, and runs the script of each job as a process.

Open `state_machine` for the rules of the service, `api` for calls and answers, `server` for the server that
`python -m local_sagemaker` starts, and `script_runner` for processes. Tests on a virtual clock use `simulation`.
"""
