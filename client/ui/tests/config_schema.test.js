import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { entriesOf } from "../src/config_schema.ts";

const SCHEMA = JSON.parse(
  readFileSync(new URL("../../src/sagequeue/contract/config.schema.json", import.meta.url), "utf8"),
);
const entry = (kind, label) => entriesOf(SCHEMA, kind).find((one) => one.label === label);
const field = (kind, label, name) => entry(kind, label).fields.find((one) => one.name === name);

test("each kind of rule has its fields and a template of the required ones", () => {
  const labels = entriesOf(SCHEMA, "rules").map((one) => one.label);
  for (const label of ["rules", "max_runtime", "required_tags", "entry of exemptions"])
    assert.ok(labels.includes(label));
  assert.equal(entry("rules", "max_runtime").template, "- kind: max_runtime\n  name: …\n  at_most: 90s\n");
  assert.deepEqual(field("rules", "max_runtime", "mode"), {
    name: "mode",
    values: "enforce, warn, off",
    isRequired: false,
    usual: "enforce",
  });
});

test("references, lists and values that may be null are told as what they stand for", () => {
  assert.match(field("rules", "max_runtime", "at_most").values, /^a text, such as 90s, /);
  assert.equal(
    field("rules", "max_runtime", "applies_to").values,
    "owner, team, name, instance_type, remote_debug, tags",
  );
  assert.equal(field("calendar", "entry of windows", "weekly").values, "a list: a text, such as fri 20:00 - mon 07:00");
  assert.match(field("calendar", "entry of windows", "excess").values, /^finish, preempt, stop/);
});

test("a section of named entries has a template below a name, and a list one of its own", () => {
  assert.equal(entry("shares", "entry of shares").template, "name:\n  members: []\n");
  assert.match(entry("pools", "entry of pools").template, /^- instance_type: …\n {2}use: off\n/);
});

test("every section has entries", () => {
  for (const kind of Object.keys(SCHEMA.properties)) assert.ok(entriesOf(SCHEMA, kind).length, kind);
});
