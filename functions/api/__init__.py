"""The REST API's function, which answers every call of docs/api.md.

Open `handler.py` first. Each noun has a file or folder of calls and answers; docs/openapi.json is made from the types.
"""
