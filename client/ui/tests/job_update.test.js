import assert from "node:assert/strict";
import test from "node:test";
import { changedFields, fieldsOf } from "../src/job_update.ts";
import { job } from "./builders.js";

const JOB = job("resnet", {
  max_runtime: 3600,
  options: {
    retries: 2,
    not_before: null,
    expires: null,
    deadline: "2026-12-01T18:00:00Z",
    never_preempt: false,
    idle_exempt: false,
  },
});

test("fields as they were change nothing", () => {
  assert.equal(changedFields(JOB, fieldsOf(JOB)), null);
});

test("only the fields that differ are sent, and an empty one resets its option", () => {
  const fields = { ...fieldsOf(JOB), max_runtime: "7200", retries: "", deadline: "", never_preempt: true };
  const options = { retries: null, deadline: null, never_preempt: true };
  assert.deepEqual(changedFields(JOB, fields), { max_runtime: 7200, options });
});

test("numbers are sent as numbers", () => {
  assert.deepEqual(changedFields(JOB, { ...fieldsOf(JOB), retries: "5" }), { options: { retries: 5 } });
});
