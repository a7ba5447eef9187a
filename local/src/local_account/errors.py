"""The error of this package. Its text says what happened and what to do."""


class AccountError(Exception):
    """The local account cannot carry out a command."""
