"""The REST client: finds the queue's API, signs and retries calls, and turns answers into values or errors.

Open `client.py` first: each API call is a method of QueueClient. A call passes through `endpoint.py`, `transport.py`
and `answers.py`, in this order.
"""
