"""Publishes notices on SNS topics, subscribes addresses to them, and reads the secret that signs webhooks.

Open `sns_notices.py` first.
"""
