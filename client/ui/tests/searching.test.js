import assert from "node:assert/strict";
import { test } from "node:test";
import { searched } from "../src/searching.ts";

test("a search is the beginning of a name, with a team and an owner anywhere", () => {
  const nothing = { name: "", team: "", owner: "" };
  assert.deepEqual(searched(""), nothing);
  assert.deepEqual(searched(" sweep-0 "), { ...nothing, name: "sweep-0" });
  assert.deepEqual(searched("sweep- team:vision"), { ...nothing, name: "sweep-", team: "vision" });
  assert.deepEqual(searched("team:vision owner:role/Ada sweep-"), {
    name: "sweep-",
    team: "vision",
    owner: "role/Ada",
  });
  assert.deepEqual(searched("team:"), { ...nothing, name: "team:" }); // while it is typed
});
