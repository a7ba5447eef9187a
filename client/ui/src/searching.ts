// What is typed into the search field: the beginning of a name, and words such as `team:vision` or `owner:ada`.

import type { JobFilter } from "./listing.ts";

const WORD = /(?:^|\s)(team|owner):(\S+)/g;

/** Returns the filter that a search stands for; a name with a blank in it matches no job. */
export function searched(text: string): Pick<JobFilter, "name" | "team" | "owner"> {
  const found = { team: "", owner: "" };
  for (const [, word, value] of text.matchAll(WORD)) found[word as "team" | "owner"] = value ?? "";
  return { name: text.replaceAll(WORD, "").trim(), ...found };
}
