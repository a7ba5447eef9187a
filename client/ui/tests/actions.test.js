import assert from "node:assert/strict";
import { test } from "node:test";
import { act, against, undoing } from "../src/actions.ts";
import { callThrough } from "../src/server.ts";
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

test("a requeue names the latest attempt that the page shows", async () => {
  const sent = [];
  callThrough(async (_method, address, body) => void sent.push([address, JSON.parse(body)]));
  await act("requeue", job("a", { attempts: [{ number: 1 }, { number: 2 }] }));
  await act("requeue", job("b"));
  assert.deepEqual(sent, [
    ["jobs/a/requeue", { attempt: 2 }],
    ["jobs/b/requeue", { attempt: 0 }],
  ]);
});

test("an approval names the longest time limit that the page shows, and other actions name none", async () => {
  const sent = [];
  callThrough(async (method, address, body) => void sent.push([method, address, body && JSON.parse(body)]));
  await act("approve", job("a", { max_runtime: 60, choices: [{ max_runtime: 60 }, { max_runtime: 90 }] }));
  await act("approve", job("b", { max_runtime: 60, choices: [] }));
  await act("hold", job("c"));
  assert.deepEqual(sent, [
    ["POST", "jobs/a/approve", { max_runtime: 90 }],
    ["POST", "jobs/b/approve", { max_runtime: 60 }],
    ["POST", "jobs/c/hold", null],
  ]);
});
