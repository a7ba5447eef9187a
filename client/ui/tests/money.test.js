import assert from "node:assert/strict";
import { test } from "node:test";
import { costText, dollars } from "../src/money.ts";

test("an amount has cents, and the smallest their first digit", () => {
  assert.deepEqual([0, 0.005, 12.3, 0.0043, 0.00099].map(dollars), ["$0.00", "$0.01", "$12.30", "$0.004", "$0.001"]);
});

test("a cost holds the warm pool, and is the most until it is final", () => {
  const cost = { dollars: 1, retained_dollars: 0.5, saved_dollars: 0, wasted_dollars_at_most: 0, final: true };
  assert.equal(costText(cost), "$1.50");
  assert.equal(costText({ ...cost, final: false }), "≤ $1.50");
});

test("what has no known price costs no nothing", () => {
  assert.equal(costText(null), "no known price");
});
