"""The REST API's function, which answers every call of docs/api.md.

Open `routes.py` first: it names the function that answers each route. `handler.py` turns an API Gateway event into a
call, and errors into refusals. The functions are in folders by noun: `jobs/`, `queue/`, `history/`, and the operators'
`documents/`.
"""
