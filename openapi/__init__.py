"""The REST API's OpenAPI documents, generated from the routes, types and refusals in the code.

`python -m openapi` writes docs/openapi.json for clients, and stacks/api.json, which the template gives to API Gateway.
A test fails if a file differs.
"""
