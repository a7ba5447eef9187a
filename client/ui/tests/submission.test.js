import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../src/server.ts";
import { copyOf, knobs, lineOf, nextName, parsed, problemsOf, textOf, withKnobs } from "../src/submission.ts";
import { job } from "./builders.js";

const REQUEST = {
  TrainingJobName: "resnet",
  ResourceConfig: { InstanceType: "ml.g5.xlarge", InstanceCount: 1, VolumeSizeInGB: 30 },
  Tags: [{ Key: "team", Value: "vision" }],
};
const OPTIONS = {
  never_preempt: false,
  idle_exempt: false,
  interactive: false,
  retries: null,
  team: null,
  checkpoint_interval: null,
  notify: [],
  order: "given",
  instances: null,
};

test("fields show the members of the request, and change nothing else", () => {
  assert.deepEqual(knobs(REQUEST), { name: "resnet", priority: 0, type: "ml.g5.xlarge", count: 1 });
  const changed = JSON.parse(withKnobs({ request: REQUEST }, { count: 4, type: "ml.p4d.24xlarge", name: "bert" }));
  assert.deepEqual(changed, {
    ...REQUEST,
    TrainingJobName: "bert",
    ResourceConfig: { InstanceType: "ml.p4d.24xlarge", InstanceCount: 4, VolumeSizeInGB: 30 },
  });
});

test("a priority replaces the tag that sets it, of either name", () => {
  for (const Key of ["priority", "queue:priority"]) {
    const tagged = { ...REQUEST, Tags: [{ Key, Value: "3" }, ...REQUEST.Tags] };
    assert.equal(knobs(tagged).priority, 3);
    const { Tags } = JSON.parse(withKnobs({ request: tagged }, { priority: 9 }));
    assert.deepEqual(Tags, [...REQUEST.Tags, { Key: "queue:priority", Value: "9" }]);
  }
});

test("a request with groups has no single type and count", () => {
  const grouped = { ...REQUEST, ResourceConfig: { InstanceGroups: [] } };
  assert.deepEqual(knobs(grouped), { name: "resnet", priority: 0, type: null, count: null });
});

test("the copy of a job keeps its priority and options, and is not on hold", () => {
  const held = { ...REQUEST, Tags: [...REQUEST.Tags, { Key: "queue:hold", Value: "true" }] };
  const options = { ...OPTIONS, never_preempt: true, team: "vision", checkpoint_interval: 600 };
  const copy = JSON.parse(copyOf(job("resnet", { request: held, priority: 5, options })));
  assert.equal(copy.TrainingJobName, "resnet-2");
  assert.deepEqual(copy.Tags, [
    ...REQUEST.Tags,
    { Key: "queue:never-preempt", Value: "true" },
    { Key: "queue:team", Value: "vision" },
    { Key: "queue:checkpoint-interval", Value: "600" },
    { Key: "queue:priority", Value: "5" },
  ]);
  const plain = JSON.parse(copyOf(job("resnet", { request: REQUEST, options: OPTIONS })));
  assert.deepEqual(plain, { ...REQUEST, TrainingJobName: "resnet-2" });
});

test("the copy of a job keeps a false option whose default is true for jobs like it", () => {
  const watched = { ...OPTIONS, interactive: true };
  const { Tags } = JSON.parse(copyOf(job("notebook", { request: REQUEST, options: watched })));
  assert.deepEqual(Tags, [
    ...REQUEST.Tags,
    { Key: "queue:idle-exempt", Value: "false" },
    { Key: "queue:interactive", Value: "true" },
  ]);
  const preemptible = JSON.parse(copyOf(job("clean", { kind: "processing", request: REQUEST, options: OPTIONS })));
  assert.deepEqual(preemptible.Tags, [...REQUEST.Tags, { Key: "queue:never-preempt", Value: "false" }]);
});

test("the copy of a tuning or processing job has the new name in the member of its kind", () => {
  for (const member of ["HyperParameterTuningJobName", "ProcessingJobName"]) {
    const request = { [member]: "sweep", RoleArn: "r" };
    const copy = JSON.parse(copyOf(job("sweep", { request, priority: 0, options: OPTIONS })));
    assert.deepEqual(copy, { [member]: "sweep-2", RoleArn: "r" });
    assert.equal(knobs(copy).name, "sweep-2");
  }
});

const ALTERNATIVES = [
  { request: { EnableManagedSpotTraining: true }, wait_for_better: 0 },
  { request: { ResourceConfig: { InstanceType: "ml.p4d.24xlarge", InstanceCount: 1 } }, wait_for_better: 900 },
];

test("the copy of a job has its alternatives beside its request, and a change of a field keeps them", () => {
  const text = copyOf(job("resnet", { request: REQUEST, alternatives: ALTERNATIVES, options: OPTIONS }));
  const { submission } = parsed(text);
  assert.deepEqual(submission, {
    request: { ...REQUEST, TrainingJobName: "resnet-2" },
    options: { alternatives: ALTERNATIVES },
  });
  const changed = parsed(withKnobs(submission, { count: 2 })).submission;
  assert.equal(changed.request.ResourceConfig.InstanceCount, 2);
  assert.deepEqual(changed.options, submission.options);
});

test("the copy of an elastic job has its widths beside its request", () => {
  const instances = { min: 1, max: 3, step: 1, hyperparameters: { 1: { "batch-size": "16" } } };
  const { submission } = parsed(copyOf(job("resnet", { request: REQUEST, options: { ...OPTIONS, instances } })));
  assert.deepEqual(submission.options, { instances });
});

test("a refusal of an alternative is at a line of this alternative", () => {
  const text = textOf({ request: REQUEST, options: { alternatives: ALTERNATIVES } });
  const lines = text.split("\n");
  const count = lineOf(text, "options.alternatives[1].request.ResourceConfig.InstanceCount");
  assert.ok(count > lines.findIndex((line) => line.includes("ml.p4d.24xlarge")));
  assert.match(lines[count - 1], /InstanceCount/);
  assert.match(lines[lineOf(text, "options.alternatives[1].wait_for_better") - 1], /900/);
  assert.match(lines[lineOf(text, "options.alternatives[0].request.EnableManagedSpotTraining") - 1], /Spot/);
});

test("names count up, within SageMaker's length", () => {
  assert.equal(nextName("resnet-9"), "resnet-10");
  assert.equal(nextName("sweep-00001"), "sweep-00002");
  assert.equal(nextName("resnet-2026-11-23"), "resnet-2026-11-24");
  const longest = nextName(`${"a".repeat(60)}-99`);
  assert.equal(longest, `${"a".repeat(59)}-100`);
  assert.equal(nextName("a".repeat(63)).length, 63);
});

test("a text that is no request has a problem at its line", () => {
  const wrong = parsed('{\n  "a": 1\n  "b": 2\n}');
  assert.equal(wrong.submission, null);
  assert.equal(wrong.problems[0].line, 3);
  assert.equal(parsed("[1]").problems[0].message, "The request is not a JSON object.");
  assert.deepEqual(parsed('{"a": 1}'), { submission: { request: { a: 1 } }, problems: [] });
});

test("a refusal is at the line of its field, or of the member that lacks it", () => {
  const text = textOf({ request: REQUEST });
  assert.equal(lineOf(text, "ResourceConfig.InstanceCount"), 5);
  assert.equal(lineOf(text, "ResourceConfig.KeepAlivePeriodInSeconds"), 3);
  assert.equal(lineOf(text, "StoppingCondition"), null);
  assert.equal(lineOf(text, "Tags[0].Value"), 11);
  const refusal = new Refusal("OverBudget", "Too many.", "Use 8 or fewer.", { field: "ResourceConfig.InstanceCount" });
  assert.deepEqual(problemsOf(refusal, text), [
    { line: 5, field: "ResourceConfig.InstanceCount", message: "Too many. Use 8 or fewer." },
  ]);
  assert.deepEqual(problemsOf(new Refusal("IntakeClosed", "Drained.", ""), text), []);
});

test("each broken rule is a problem of its own", () => {
  const violations = [
    { rule: "a-day", field: "StoppingCondition", message: "runs too long", remedy: "Less." },
    { rule: "calm", field: "Tags", message: "too high", remedy: "Lower." },
  ];
  const found = problemsOf(new Refusal("RuleViolated", "no", "", { violations }), textOf({ request: REQUEST }));
  assert.deepEqual(
    found.map((one) => one.line),
    [null, 8],
  );
  assert.equal(found[0].message, "runs too long (rule a-day). Less.");
});
