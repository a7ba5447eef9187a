import assert from "node:assert/strict";
import { test } from "node:test";
import { againstChange, changedDecisions, decided, FILE } from "../src/config_logic.ts";

const me = (...verbs) => ({ arn: "arn:aws:iam::123456789012:user/anna", verbs });

test("operators may change all sections, and others those that are granted", () => {
  for (const all of ["operate", "config:*"])
    for (const kind of ["rules", FILE]) assert.equal(againstChange(kind, me(all)), null);
  assert.equal(againstChange("rules", me("config:rules")), null);
  assert.equal(againstChange(FILE, me("config:rules")), null);
  assert.match(againstChange("prices", me("config:rules")), /an operator can grant you config:prices/);
  assert.match(againstChange(FILE, me("submit", "control_own")), /may not change the configuration/);
});

const start = (job, type = "ml.g5.xlarge", reason = "") => ({ job, decision: "start", instance_type: type, reason });
const release = (job) => ({ job, decision: "release", instance_type: "ml.g5.xlarge", reason: "" });
const park = (job) => ({ job, decision: "park", instance_type: null, reason: "" });

test("a decision differs by what is done and where, not by its reason", () => {
  const before = [start("a"), start("b", "ml.g5.xlarge", "now"), start("c")];
  const after = [start("b", "ml.g5.xlarge", "later"), start("c", "ml.p4d.24xlarge"), park("d"), release("e")];
  assert.deepEqual(
    changedDecisions({ before, after }).map((one) => [one.job, decided(one.before), decided(one.after)]),
    [
      ["a", "start on ml.g5.xlarge", "nothing"],
      ["c", "start on ml.g5.xlarge", "start on ml.p4d.24xlarge"],
      ["d", "nothing", "park"],
      ["e", "nothing", "release its warm pool on ml.g5.xlarge"],
    ],
  );
});
