"""Watches attempts for idle GPUs and hangs.

Open `idle_gpus.py` first: it maintains the alarms and checks the attempts whose alarms fire. `hangs.py` checks for
hangs.
"""
