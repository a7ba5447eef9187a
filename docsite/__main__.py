"""Prints the generated references as JSON."""

import json

from docsite import cli_reference, configuration_reference, rest_reference, stack_reference

REFERENCES = {
    "calls": rest_reference.calls,
    "commands": cli_reference.commands,
    "outputs": stack_reference.outputs,
    "parameters": stack_reference.parameters,
    "sections": configuration_reference.sections,
}

if __name__ == "__main__":
    print(json.dumps({name: make() for name, make in REFERENCES.items()}, ensure_ascii=False))
