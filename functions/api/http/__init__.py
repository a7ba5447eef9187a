"""Shared parts of all calls: the call as API Gateway passes it, its body, and JSON that several answers have in common.

Open `call.py` first. docs/openapi.json is made from the types of the answers.
"""
