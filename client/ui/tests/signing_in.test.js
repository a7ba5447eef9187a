import assert from "node:assert/strict";
import { test } from "node:test";
import { errorWithoutState } from "../src/signing_in.ts";

function errorAt(query) {
  globalThis.location = { href: `https://d1.cloudfront.net/${query}` };
  return errorWithoutState();
}

test("an error without a state is shown, because another sign-in would repeat it", () => {
  assert.equal(errorAt("?error=invalid_request"), "The sign-in page refused the request (error invalid_request).");
  assert.equal(errorAt(""), "");
  assert.equal(errorAt("?error=access_denied&state=s"), ""); // belongs to a sign-in, which checks the state
});

test("the page repeats no text that a stranger wrote into a link", () => {
  const shown = errorAt("?error=Call+0800-555&error_description=Call+0800-555");
  assert.equal(shown, "The sign-in page refused the request (error unknown).");
});
