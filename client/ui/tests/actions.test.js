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

test("the queue says which jobs the caller may change", () => {
  const others = job("a", { may_control: false });
  assert.equal(against("cancel", job("a"), me()), null);
  assert.equal(against("cancel", job("a"), null), null);
  assert.match(against("cancel", others, me()), /another caller/);
  assert.match(against("cancel", others, null), /another caller/);
  assert.match(against("cancel", others, me({ verbs: ["submit"] })), /read access only/);
});

test("what has lost work cannot be taken back", () => {
  assert.equal(undoing("cancel", job("a", { state: "running" })), null);
  assert.equal(undoing("cancel", job("a", { state: "pending" })).label, "Queue again");
  assert.equal(undoing("top", job("a", { state: "pending" })), null);
});
