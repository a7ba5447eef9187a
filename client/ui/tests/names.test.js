import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { keepNames, withNames } from "../src/names.ts";
import { person } from "../src/words.ts";

const ADA = "6852ca10-901f-43c4-a682-8e76d3831921";
const ARN = `arn:aws:sts::123456789012:person/page-User/${ADA}`;

beforeEach(() => keepNames({ [ADA]: "ada@example.com" }));

test("a person has the name of the user pool, else the id", () => {
  assert.equal(person(ARN), "ada@example.com");
  keepNames({});
  assert.equal(person(ARN), ADA);
});

test("nobody else passes for a person, whatever an administrator or a session is called", () => {
  const others = [
    `arn:aws:iam::123456789012:user/:person/page-User/${ADA}`,
    `arn:aws:iam::123456789012:user/arn:aws:sts::123456789012:person/page-User/${ADA}`,
    "arn:aws:iam::123456789012:user/ada@example.com",
    "arn:aws:sts::123456789012:assumed-role/Vision/ada@example.com",
    `arn:aws:sts::123456789012:assumed-role/person/${ADA}`,
    `arn:aws:sts::123456789012:person/page-User/x/${ADA}`,
    `${ARN}\n`,
  ];
  for (const arn of others) assert.notEqual(person(arn), "ada@example.com");
});

test("an id of an object's own members has no name", () => {
  keepNames({});
  assert.equal(person("constructor"), "constructor");
});

test("messages of the queue have names, too, but not for a user whose ARN contains a person's", () => {
  assert.equal(withNames(`held by ${ARN}`), "held by ada@example.com");
  assert.equal(withNames(`held by ${ARN}.`), "held by ada@example.com.");
  const imitated = `held by arn:aws:iam::123456789012:user/${ARN}/eve`;
  assert.equal(withNames(imitated), imitated);
});
