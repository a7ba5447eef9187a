"""The REST client: finds the queue's API, signs and retries calls, and turns answers into values or errors.

Open `client.py` first: each call to the API is a method of QueueClient. The calls about jobs are in `job_calls.py`,
and the calls about the configuration in `config_calls.py`. A call goes through `endpoint.py`, `transport.py` and
`answers.py`, in this order.
"""
