"""The REST client: finds the queue's API, signs and retries calls, and turns answers into values or errors.

Open `client.py` first: every call of the API is a method of QueueClient. `endpoint.py`, `transport.py`
and `answers.py` are the steps that one call takes, in this order.
"""
