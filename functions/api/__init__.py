"""The REST API's function, which answers every call of docs/api.md.

Open `handler.py` first: it names the function that answers each route, turns an API Gateway event into a call, and
errors into refusals. Each noun has a file or a folder with its calls and the types and views of its answers;
`call.py` and `answers.py` have what these share. docs/openapi.json is made from the types.
"""
