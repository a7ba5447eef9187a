"""CloudWatch metrics: their cost, dashboard and alarms."""

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from scheduler.adapters.aws import embedded_metrics
from scheduler.adapters.aws.embedded_metrics import NAMESPACE, EmbeddedMetrics
from scheduler.core.history.metrics import FlowMetrics, Gauges, MetricsLevel
from scheduler.core.jobs.demand import Demand
from support.stack.expanded_template import TEMPLATE, Stack

PAGE = (Path(TEMPLATE).parent / "docs" / "reference" / "metrics.md").read_text()
BUSY_QUEUE = Gauges(3, 60.0, Demand.of({"ml.g5.xlarge": 1}), Demand((("ml.g5.xlarge", 1),)))
BUSY_MINUTE = FlowMetrics((5.0, 7.0), 1, 300.0)
EACH = 0.30  # dollars a month


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Any:
    def lines(wanted: str) -> list[dict[str, Any]]:
        meter = EmbeddedMetrics(MetricsLevel(wanted), "sq")
        meter.record_gauges(BUSY_QUEUE)
        meter.record_flow(BUSY_MINUTE)
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return lines


@pytest.mark.parametrize(("wanted", "for_each_type"), [("off", 0), ("few", 0), ("all", 2)])
def test_the_metrics_cost_what_the_parameter_says(stack: Stack, lines: Any, wanted: str, for_each_type: int) -> None:
    told = {name for line in lines(wanted) if "InstanceType" not in line for name in _metrics(line)}
    of_types = {name for line in lines(wanted) if "InstanceType" in line for name in _metrics(line)}
    assert len(of_types) == for_each_type
    described = stack.source["Parameters"]["Metrics"]["Description"]
    few, every, each_type = (float(text) for text in re.findall(r"\d\.\d\d", described))
    assert len(told) * EACH == pytest.approx({"off": 0, "few": few, "all": every}[wanted])
    assert each_type == pytest.approx(2 * EACH)


def test_the_page_has_a_line_for_each_metric_and_no_other(lines: Any) -> None:
    table = PAGE.partition("## Metrics for CloudWatch")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == sorted(embedded_metrics.UNITS)
    assert {name for line in lines("all") for name in _metrics(line)} == {*embedded_metrics.UNITS}


def test_no_metric_is_sent_by_default(stack: Stack, lines: Any) -> None:
    assert lines(stack.source["Parameters"]["Metrics"]["Default"]) == []


def test_the_alarm_watches_a_metric_that_is_sent_with_few(oldest_wait_alarm: Stack, lines: Any) -> None:
    (alarm,) = oldest_wait_alarm.of_type("AWS::CloudWatch::Alarm").values()
    assert (alarm["Namespace"], alarm["Dimensions"]) == (NAMESPACE, [{"Name": "service", "Value": {"Ref": "NameMark"}}])
    assert alarm["MetricName"] in {name for line in lines("few") for name in _metrics(line)}


def test_the_queue_has_no_dashboard_and_no_alarm_on_waiting_of_its_own(stack: Stack, observability: Stack) -> None:
    assert stack.of_type("AWS::CloudWatch::Dashboard") == observability.of_type("AWS::CloudWatch::Dashboard") == {}
    assert stack.of_type("AWS::CloudWatch::Alarm") == {}
    assert "OldestWaitAlarm" not in observability.expanded["Resources"]


@pytest.mark.parametrize("name", ["dashboard", "oldest_wait_alarm"])
def test_a_stack_beside_the_queue_is_told_what_the_queue_outputs(
    stack: Stack, name: str, request: pytest.FixtureRequest
) -> None:
    parameters = request.getfixturevalue(name).source["Parameters"]
    descriptions = "\n".join(parameter["Description"] for parameter in parameters.values())
    outputs = re.findall(r"^The queue's output (\w+)\.$", descriptions, re.MULTILINE)
    assert len(outputs) >= 2
    assert set(outputs) <= stack.expanded["Outputs"].keys()


def test_the_documented_deployer_may_put_the_dashboard(dashboard: Stack) -> None:
    (overview,) = dashboard.of_type("AWS::CloudWatch::Dashboard").values()
    assert overview["DashboardName"] == {"Fn::Sub": "${AWS::StackName}-${AWS::Region}"}
    policy = (Path(TEMPLATE).parent / "docs/admin/iam.md").read_text()
    page = (Path(TEMPLATE).parent / "docs/admin/monitor.md").read_text()
    (pattern,) = re.findall(r':dashboard/([^"]+)"', policy)
    (stack,) = re.findall(r"--stack-name (\S+) --template-file stacks/dashboard.yaml", page)
    assert fnmatchcase(f"{stack}-eu-west-1", pattern)


def test_the_dashboard_shows_each_metric_with_the_dimensions_that_it_has(dashboard: Stack, lines: Any) -> None:
    (overview,) = dashboard.of_type("AWS::CloudWatch::Dashboard").values()
    body = json.loads(re.sub(r"\$\{[\w.:]+\}", "x", overview["DashboardBody"]["Fn::Sub"]))
    shown = str([widget["properties"]["metrics"] for widget in body["widgets"]])
    for line in lines("all"):
        for name in _metrics(line):
            of_type, of_queue = f'MetricName="{name}" service="x"', f"['SageQueue', '{name}', 'service', 'x'"
            expected = of_type if "InstanceType" in line else of_queue
            assert expected in shown, name
    assert "{SageQueue,InstanceType,service}" in shown


def _metrics(line: dict[str, Any]) -> list[str]:
    (directive,) = line["_aws"]["CloudWatchMetrics"]
    assert directive["Namespace"] == NAMESPACE
    assert line["service"] == "sq"
    return [metric["Name"] for metric in directive["Metrics"]]
