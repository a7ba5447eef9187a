"""Calls about the configuration: show, plan, apply, list versions, roll back. Open `config_calls.py` first."""
