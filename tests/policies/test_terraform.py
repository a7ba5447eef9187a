"""The Terraform module has the template's parameters. Terraform has never read it: the parser comes with checkov."""

import json
import re
import subprocess
from functools import cache
from typing import Any

import pytest
from cfnlint.decode import decode

from support.checkout import CHECKOUT
from support.stack.expanded_template import TEMPLATE

MODULE = CHECKOUT / "integrations/terraform"
#: The module builds this one from a file, and from the place and the digest of the file.
BUILT = "Configuration"


@cache
def read(name: str) -> dict[str, Any]:
    command = (CHECKOUT / ".venvs/checkov/bin/hcl2tojson", MODULE / name)
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    found: dict[str, Any] = _without_lines(json.loads(done.stdout))
    return found


def _without_lines(value: Any) -> Any:
    """Returns the value without the numbers of lines that this parser adds."""
    if isinstance(value, dict):
        return {key: _without_lines(one) for key, one in value.items() if not key.startswith("__")}
    return [_without_lines(one) for one in value] if isinstance(value, list) else value


@cache
def template() -> dict[str, Any]:
    source, problems = decode(str(TEMPLATE))
    assert problems == []
    found: dict[str, Any] = source
    return found


def blocks(name: str, kind: str) -> dict[str, Any]:
    return {key: value for block in read(name).get(kind, []) for key, value in block.items()}


def variable_of(parameter: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", parameter).lower()


@pytest.fixture(scope="module")
def parameters() -> dict[str, Any]:
    found: dict[str, Any] = template()["Parameters"]
    return found


def test_each_parameter_has_a_variable_with_its_description_and_type(parameters: dict[str, Any]) -> None:
    variables = blocks("parameters.tf", "variable")
    assert variables.keys() == {variable_of(name) for name in parameters.keys() - {BUILT}}
    for name in parameters.keys() - {BUILT}:
        variable, parameter = variables[variable_of(name)], parameters[name]
        assert text(variable["description"]) == " ".join(parameter["Description"].split())
        assert reference(variable["type"]) == parameter["Type"].lower()
        assert ("default" in variable) == ("Default" in parameter)
        assert one(variable.get("default")) is None  # so that the template's default applies


def test_the_stack_gets_each_parameter_from_its_variable(parameters: dict[str, Any]) -> None:
    (local,) = read("main.tf")["locals"]
    passed = {name: reference(value) for name, value in one(local["parameters"]).items()}
    assert passed == {
        **{name: f"var.{variable_of(name)}" for name in parameters.keys() - {BUILT}},
        BUILT: "local.configuration",
    }


def test_the_configuration_is_named_as_the_stack_expects(parameters: dict[str, Any]) -> None:
    (local,) = read("main.tf")["locals"]
    built = reference(local["configuration"])
    assert '"%s/%s@sha256:%s",var.bucket,local.configuration_key,filesha256(var.configuration)' in built
    value = "bucket/sagequeue/configuration.yaml@sha256:" + "5f" * 32
    assert re.fullmatch(parameters[BUILT]["AllowedPattern"], value)


def test_every_reference_exists() -> None:
    text = "\n".join(path.read_text() for path in MODULE.glob("*.tf"))
    declared = {**blocks("parameters.tf", "variable"), **blocks("variables.tf", "variable")}
    (local,) = read("main.tf")["locals"]
    assert {*re.findall(r"\bvar\.(\w+)", text)} == declared.keys()
    assert {*re.findall(r"\blocal\.(\w+)", text)} == local.keys()
    outputs = {*re.findall(r'outputs\["(\w+)"\]', text)}
    assert outputs <= template()["Outputs"].keys()


def test_the_address_of_the_template_fits_each_partition() -> None:
    data = {name for block in read("main.tf")["data"] for name in block}
    assert data == {"aws_partition", "aws_region"}
    address = text(one(_stack()["template_url"]))
    assert "${data.aws_region.current.id}.${data.aws_partition.current.dns_suffix}/" in address


def test_the_deployment_has_the_capabilities_that_sam_asks_for() -> None:
    assert one(_stack()["capabilities"]) == ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]


def _stack() -> dict[str, Any]:
    bodies = {name: body for block in blocks("main.tf", "resource").values() for name, body in block.items()}
    found: dict[str, Any] = bodies["queue"]
    return found


def one(value: Any) -> Any:
    """Returns the value of an attribute, which this parser puts into a list."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def text(value: Any) -> str:
    return str(one(value))


def reference(value: Any) -> str:
    return str(one(value)).removeprefix("${").removesuffix("}")
