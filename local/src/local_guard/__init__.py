"""The guard of the local account's servers: only programs that have the account's key get an answer.

Web pages in a browser of this machine can reach both servers, and their code runs as the developer. Open `rule.py`
first: it decides about a request. `asgi.py` wraps ministack's application, and `python -m local_guard` serves that.
"""
