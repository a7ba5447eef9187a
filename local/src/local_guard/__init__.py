"""Guards the servers of the local account: they answer only programs that have the account's key. Web pages in a
browser on this machine can reach both servers, and the servers run code with the developer's permissions. Open
`rule.py` first: it allows or refuses each request. `asgi.py` wraps ministack's application, and `python -m local_guard`
serves the result.
"""
