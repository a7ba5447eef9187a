"""Reads files that people write, and reports every problem with its line.

Open `document.py`: it parses YAML, and collects problems. `placeholders.py` fills parameters into requests. Each kind
of file has its own reader, next to the code that uses the file.
"""
