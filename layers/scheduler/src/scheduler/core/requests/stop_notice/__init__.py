"""The notice before a stop: who gets one, and the protocol with the program in the training container.

docs/contribute/preemption-protocol.md has the protocol for both sides. Open `rule.py` first.
"""
