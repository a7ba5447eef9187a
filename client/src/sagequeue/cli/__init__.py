"""The command line: `sagequeue …`, with tables for people and `--json` for programs.

Open `main.py` for the list of commands and exit codes. Each module defines some commands, and lists them in COMMANDS.
`options.py` and `console.py` have what the commands share: arguments, printing and exit codes.
"""
