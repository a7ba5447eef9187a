"""The REST API's OpenAPI documents: generated from the routes, types and refusals of the code.

`python -m openapi` writes docs/openapi.json for clients, and stacks/api.json, which the template gives to API Gateway.
A test fails while a file differs.
"""
