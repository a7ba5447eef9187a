import assert from "node:assert/strict";
import { test } from "node:test";
import { against, undoing } from "../src/actions.ts";
import { job } from "./builders.js";

const me = (changes = {}) => ({
  arn: "arn:aws:sts::123456789012:assumed-role/Vision/bob",
  verbs: ["submit", "control_own"],
  ...changes,
});

test("what a job's state allows and what it does not", () => {
  const allowed = {
    pending: ["top", "priority", "hold", "cancel"],
    preempted: ["top", "priority", "hold", "cancel"],
    running: ["priority", "requeue", "cancel"],
    held: ["priority", "release", "cancel"],
    parked: ["priority", "requeue", "cancel"],
    completed: [],
    failed: ["requeue"],
    stopped: ["requeue"],
  };
  for (const [state, verbs] of Object.entries(allowed)) {
    const all = ["top", "priority", "hold", "release", "requeue", "cancel"];
    assert.deepEqual(
      all.filter((verb) => against(verb, job("a", { state }), null) === null),
      verbs,
      state,
    );
  }
});

test("a job is its role's, whatever the session is called", () => {
  assert.equal(against("cancel", job("a"), me()), null);
});

test("a job of another role, user or account is another caller", () => {
  for (const arn of [
    "arn:aws:sts::123456789012:assumed-role/Speech/ada",
    "arn:aws:sts::210987654321:assumed-role/Vision/ada",
    "arn:aws:iam::123456789012:user/Vision",
  ]) {
    assert.match(against("cancel", job("a"), me({ arn })), /another caller/);
  }
});

test("operators may do it all, and members of a team leave it to the queue", () => {
  const stranger = { arn: "arn:aws:iam::123456789012:user/eve" };
  assert.equal(against("cancel", job("a"), me({ ...stranger, verbs: ["operate"] })), null);
  assert.equal(against("cancel", job("a"), me({ ...stranger, verbs: ["control_team"] })), null);
  assert.match(against("cancel", job("a"), me({ verbs: ["submit"] })), /read access only/);
});

test("what has lost work cannot be taken back", () => {
  assert.equal(undoing("cancel", job("a", { state: "running" })), null);
  assert.equal(undoing("cancel", job("a", { state: "pending" })).label, "Queue again");
  assert.equal(undoing("top", job("a", { state: "pending" })), null);
});
