"""Defines the error of this package. Its text contains the problem and the remedy."""


class AccountError(Exception):
    """The local account cannot carry out a command."""
