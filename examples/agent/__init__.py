"""An agent's client asks `sagequeue mcp` about a queue. Open `questions.py` first."""
