"""The Lambda function that answers every call of the REST API (docs/reference/rest.md).

Open `handler.py` first. Each noun in the API has a file or folder with its calls and answers. docs/openapi.json is
generated from the answers' types.
"""
