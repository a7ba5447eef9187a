"""The REST API's OpenAPI document: made of the routes, types and refusals of the code. Nothing of this is deployed.

`python -m openapi` writes docs/openapi.json anew; a test fails while it differs.
"""
