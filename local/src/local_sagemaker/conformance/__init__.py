"""The table of SageMaker's answers, and a script that compares it with a real account.

Open `table` first. `plan` chooses the rows that are cheap to replay, `replay` replays them on `account`, and
`questions` asks what AWS does not document.
"""
