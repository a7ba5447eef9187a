"""The command line: `sagequeue …`, with tables for people and `--json` for programs.

Open `main.py` for the list of commands and exit codes. Each module defines some commands, and lists them in COMMANDS.
`options.py` has the arguments that commands share, and `console.py` handles printing and exit codes.
"""
