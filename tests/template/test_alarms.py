"""Operators' alarms: each notifies operators, and the runbook explains it."""

import re
from typing import Any

import pytest

from support.checkout import CHECKOUT
from support.stack.expanded_template import Stack

ALARMS = ("DeadLetters", "Faults", "MissedSweeps")
#: Metrics that services send for nothing.
FREE = {"DeadLetters": ("AWS/SQS", "QueueName"), "MissedSweeps": ("AWS/Lambda", "FunctionName")}
#: Each has a section in the runbook.
FAULTS = (
    "broken rule",
    "no alarm",
    "no stop notice",
    "recount",
    "skipped job",
    "stray attempt",
    "stuck stopping",
    "unreadable configuration",
    "unreadable record",
)
OPTIONAL = "OldestWait"
OF_PIPELINES = "LostSteps"
LOGGED = re.compile(r'\$\.message = "([^"]+)"')


def test_these_are_all_alarms(observability: Stack) -> None:
    assert set(observability.of_type("AWS::CloudWatch::Alarm")) == {f"{name}Alarm" for name in ALARMS}


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_notifies_operators(observability: Stack, name: str) -> None:
    assert _alarm(observability, name)["AlarmActions"] == [{"Ref": "Alerts"}]


def test_the_alarms_watch_the_logs_and_the_dead_letters_of_the_queue(stack: Stack, observability: Stack) -> None:
    nested = stack.source["Resources"]["Observability"]["Properties"]
    assert nested["TemplateURL"] == "stacks/observability.yaml"
    assert nested["Parameters"].keys() == observability.source["Parameters"].keys()
    logs = {name: {"Ref": name} for name in ("ApiLogs", "ScheduleFunction", "ScheduleLogs")}
    letters = {"DeadLetters": {"Fn::GetAtt": ["DeadLetters", "QueueName"]}}
    assert logs | letters | {"Queue": {"Ref": "AWS::StackName"}} == {
        name: value for name, value in nested["Parameters"].items() if name != "KeyArn"
    }
    assert {"ApiLogs", "ScheduleLogs"} <= stack.of_type("AWS::Logs::LogGroup").keys()


def test_operators_find_the_topic_of_the_alarms_in_the_outputs_of_the_queue(stack: Stack, observability: Stack) -> None:
    assert observability.expanded["Outputs"]["AlertsTopic"]["Value"] == {"Ref": "Alerts"}
    found = stack.expanded["Outputs"]["AlertsTopic"]["Value"]
    assert found == {"Fn::GetAtt": ["Observability", "Outputs.AlertsTopic"]}


def test_the_topic_accepts_the_alarms_of_both_stacks(observability: Stack, oldest_wait_alarm: Stack) -> None:
    """A nested stack has the name of the one around it, and more."""
    (policy,) = observability.of_type("AWS::SNS::TopicPolicy").values()
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert policy["Topics"] == [{"Ref": "Alerts"}]
    assert statement["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
    source = statement["Condition"]["ArnLike"]["aws:SourceArn"]["Fn::Sub"]
    assert source.endswith(":${AWS::AccountId}:alarm:${Queue}-*")
    assert _alarm(oldest_wait_alarm, OPTIONAL)["AlarmName"]["Fn::Sub"].startswith("${Queue}-")
    assert not [alarm for alarm in observability.of_type("AWS::CloudWatch::Alarm").values() if "AlarmName" in alarm]


def test_an_alarm_of_the_pipelines_notifies_operators_if_the_stack_gets_their_topic(pipelines: Stack) -> None:
    assert set(pipelines.of_type("AWS::CloudWatch::Alarm")) == {f"{OF_PIPELINES}Alarm"}
    assert _alarm(pipelines.where(HasTopic=True), OF_PIPELINES)["AlarmActions"] == [{"Ref": "AlertsTopic"}]
    assert "AlarmActions" not in _alarm(pipelines.where(HasTopic=False), OF_PIPELINES)
    assert pipelines.source["Parameters"]["AlertsTopic"]["Default"] == ""


def test_the_topic_accepts_the_alarms_of_the_stack_that_the_page_deploys(pipelines: Stack) -> None:
    assert "AlarmName" not in _alarm(pipelines, OF_PIPELINES)  # so that the stack's name begins it
    page = (CHECKOUT / "docs/use/pipelines.md").read_text()
    assert re.findall(r"--stack-name (\S+)", page) == ["sagequeue-pipelines"]


def test_the_runbook_has_a_section_for_each_alarm() -> None:
    sections = re.findall(r"^## (\w+)Alarm$", (CHECKOUT / "docs/admin/alarms.md").read_text(), re.MULTILINE)
    assert sorted(sections) == sorted([*ALARMS, OPTIONAL, OF_PIPELINES])


def test_missing_data_is_an_alarm_only_where_data_is_expected(observability: Stack) -> None:
    silent = {name for name in ALARMS if _alarm(observability, name)["TreatMissingData"] == "breaching"}
    assert silent == {"MissedSweeps"}


def test_the_slowest_sweep_comes_twice_in_each_period_of_an_alarm(
    stack: Stack, observability: Stack, oldest_wait_alarm: Stack
) -> None:
    minutes = max(int(rate.split()[0].removeprefix("rate(")) for rate in _sweep_rates(stack))
    assert _alarm(observability, "MissedSweeps")["Period"] >= 2 * 60 * minutes
    assert _alarm(oldest_wait_alarm, OPTIONAL)["Period"] >= 2 * 60 * minutes


def test_sweeps_are_missed_after_half_an_hour(observability: Stack) -> None:
    alarm = _alarm(observability, "MissedSweeps")
    assert alarm["Period"] * alarm["EvaluationPeriods"] == 1800
    assert alarm["DatapointsToAlarm"] == alarm["EvaluationPeriods"]


def test_all_alarms_but_one_watch_metrics_that_cost_nothing(observability: Stack) -> None:
    for name, (service, dimension) in FREE.items():
        alarm = _alarm(observability, name)
        assert (alarm["Namespace"], [one["Name"] for one in alarm["Dimensions"]]) == (service, [dimension])
    assert set(ALARMS) - FREE.keys() == {"Faults"}


def test_a_metric_of_the_stack_has_data_only_where_a_fault_was_logged(observability: Stack) -> None:
    """CloudWatch charges a metric for the hours in which it has data."""
    found = observability.of_type("AWS::Logs::MetricFilter").values()
    transformed = [transformation for one in found for transformation in one["MetricTransformations"]]
    assert {one["MetricName"] for one in transformed} == {_alarm(observability, "Faults")["MetricName"]}
    assert not [one for one in transformed if "DefaultValue" in one]


def test_each_fault_of_the_scheduler_and_of_a_submission_is_counted(observability: Stack) -> None:
    filters = observability.of_type("AWS::Logs::MetricFilter")
    counted = {name: sorted(LOGGED.findall(found["FilterPattern"])) for name, found in filters.items()}
    assert counted.pop("Throttles") == ["postponed"]
    assert counted.pop("FailedCalls") == []
    assert counted == {
        "Faults": sorted(FAULTS),
        "FaultsAtSubmission": ["broken rule", "unreadable configuration"],
    }
    groups = {name: found["LogGroupName"]["Ref"] for name, found in filters.items()}
    assert groups == {
        "FailedCalls": "ApiLogs",
        "Faults": "ScheduleLogs",
        "FaultsAtSubmission": "ApiLogs",
        "Throttles": "ScheduleLogs",
    }


def test_calls_of_the_api_that_fail_are_counted_as_lambda_reports_them(stack: Stack, observability: Stack) -> None:
    """Lambda reports a function that cannot be imported; the function itself logs nothing."""
    pattern = observability.of_type("AWS::Logs::MetricFilter")["FailedCalls"]["FilterPattern"]
    assert pattern == '{ $.type = "platform.report" && $.record.status != "success" }'
    for function in stack.of_type("AWS::Lambda::Function").values():
        assert function["LoggingConfig"]["LogFormat"] == "JSON"
        assert "SystemLogLevel" not in function["LoggingConfig"]  # the default has the reports


def test_one_fault_fires_and_so_do_thirty_throttled_calls_and_five_failed_ones(observability: Stack) -> None:
    alarm, filters = _alarm(observability, "Faults"), observability.of_type("AWS::Logs::MetricFilter")
    weights = {name: float(found["MetricTransformations"][0]["MetricValue"]) for name, found in filters.items()}
    assert (alarm["Statistic"], alarm["Period"], alarm["Threshold"]) == ("Sum", 900, 1)
    assert weights["Faults"] == weights["FaultsAtSubmission"] == 1
    assert 29 * weights["Throttles"] < 1 <= 30 * weights["Throttles"]
    assert 4 * weights["FailedCalls"] < 1 <= 5 * weights["FailedCalls"]


@pytest.mark.parametrize("fault", [*FAULTS, "postponed"])
def test_the_runbook_has_a_section_for_each_fault(fault: str) -> None:
    section = (CHECKOUT / "docs/admin/alarms.md").read_text().partition("## FaultsAlarm\n")[2].partition("\n## ")[0]
    assert re.search(rf"^### .*`{fault}`", section, re.MULTILINE)


def test_a_filter_matches_what_the_scheduler_logs(observability: Stack) -> None:
    code = _code("layers/scheduler/src", "functions/schedule")
    for found in observability.of_type("AWS::Logs::MetricFilter").values():
        for message in LOGGED.findall(found["FilterPattern"]):
            assert re.search(rf'logger\.\w+\(\s*"{message}"', code), message


def test_an_unreadable_configuration_is_in_both_logs(observability: Stack) -> None:
    logged = set(re.findall(r'logger\.error\("(unreadable [^"]+)"', _code("layers/scheduler/src")))
    assert logged == {"unreadable configuration", "unreadable record"}
    for name in ("Faults", "FaultsAtSubmission"):
        pattern = observability.of_type("AWS::Logs::MetricFilter")[name]["FilterPattern"]
        assert "unreadable configuration" in LOGGED.findall(pattern)


def _code(*folders: str) -> str:
    return "".join(file.read_text() for folder in folders for file in (CHECKOUT / folder).rglob("*.py"))


def _alarm(observability: Stack, name: str) -> dict[str, Any]:
    return observability.of_type("AWS::CloudWatch::Alarm")[f"{name}Alarm"]


def _sweep_rates(stack: Stack) -> list[str]:
    rates: list[str] = stack.source["Parameters"]["SweepRate"]["AllowedValues"]
    return rates
