"""The REST API's OpenAPI document: generated from the routes, types and refusals of the code. It is not deployed.

`python -m openapi` writes docs/openapi.json. A test fails while the file differs.
"""
