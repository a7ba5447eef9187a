"""The server of the page that `sagequeue ui` opens: for this machine alone, with its user's own AWS credentials.

Nothing runs in the AWS account for it. Open `page.py` first: it decides which answer each request gets. The page itself
is written in TypeScript (client/ui) and ships built, in `built/`.
"""
