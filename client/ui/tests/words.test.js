import assert from "node:assert/strict";
import { test } from "node:test";
import { instances } from "../src/words.ts";
import { job } from "./builders.js";

test("of preferences one is selected, of a cluster all are held", () => {
  const both = { p5: 1, p4d: 2 };
  assert.equal(instances(job("a", { instances: both })), "1 × p5 + 2 × p4d");
  assert.equal(instances(job("a", { instances: both, preferences: ["p5", "p4d"] })), "1 × p5 or 2 × p4d");
});
