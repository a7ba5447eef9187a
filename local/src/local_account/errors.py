"""The one error of this package: its text tells a developer what went wrong and what to do about it."""


class AccountError(Exception):
    """The local account cannot do what it was asked."""
