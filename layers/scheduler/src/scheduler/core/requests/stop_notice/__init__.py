"""Decides which attempts get notice before a stop, and defines the protocol with the program in the training container.

docs/contribute/preemption-protocol.md describes the protocol for both sides. Open `rule.py` first.
"""
