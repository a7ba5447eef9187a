"""`sagequeue mcp`: offers the queue to AI agents as tools of the Model Context Protocol.

`tools.py` has the tools as plain functions, and `server.py` registers them with the official SDK, which is optional.
"""
