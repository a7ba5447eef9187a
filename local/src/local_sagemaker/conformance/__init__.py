"""Compares a table of SageMaker's answers with a real account.

Open `table` first. `plan` chooses the rows that are cheap to replay, `replay` replays them on `account`, and
`questions` asks the account about behaviour that AWS does not document.
"""
