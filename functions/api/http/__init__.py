"""What all calls share: the call as API Gateway passes it, its body, and the JSON that several answers have in common.

Open `call.py` first. Types of answers are in modules `…_answers`, and docs/openapi.json is made from them.
"""
