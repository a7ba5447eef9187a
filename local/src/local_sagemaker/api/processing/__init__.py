"""Serves the operations of processing jobs. Open `operations` first: it has one function for each operation.

`request_rules` refuses invalid requests, with the rules that the API's model does not express.
"""
