// The parts of a line in which a text was searched.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parted } from "../src/log_search.ts";

test("every second part is the searched text, in the case of the line", () => {
  assert.deepEqual(parted("Loss 1, loss 2", "LOSS"), ["", "Loss", " 1, ", "loss", " 2"]);
  assert.deepEqual(parted("nothing", "loss"), ["nothing"]);
  assert.deepEqual(parted("all of it", ""), ["all of it"]);
  assert.deepEqual(parted("aaa", "aa"), ["", "aa", "a"]);
});
