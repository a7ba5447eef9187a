"""Sends notices to HTTPS endpoints that the configuration names.

Open `webhook.py` first: it selects the webhooks for a notice. `message.py` words and signs the request, and
`public_address.py` decides which addresses may be connected to.
"""
