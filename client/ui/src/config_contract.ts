// The JSON of the configuration's calls (docs/reference/rest.md), as far as the page reads it. The page's server adds the texts.

import type { Period, State, Violation, WhoAmI } from "./contract.ts";

/** By kind of section: lines that begin with "+", "-" or a blank, and "…" for lines that are left out. */
export type Differences = Record<string, string[]>;

/** Version 0: no operator has applied a configuration, so the author is null. */
export interface ConfigVersion {
  version: number;
  author: string | null;
  applied_at: string | null;
  comment: string;
  changed: string[];
}

export interface Config extends ConfigVersion {
  /** All sections as one file; without the callers, unless the caller may change them. */
  text: string;
  /** Each section alone, by kind. */
  texts: Record<string, string>;
}

export interface ConfigVersions {
  versions: ConfigVersion[];
  next: string | null;
}

/** What is wrong with a text; the line is null if it has none. */
export interface Problem {
  line: number | null;
  field: string;
  message: string;
}

export interface ConfigPlan {
  /** The newest version: what the plan was compared with, and replaces when it is applied. */
  version: number;
  changed: string[];
  differences: Differences;
  warnings: string[];
  jobs: ChangedVerdict[];
  checked: number;
  complete: boolean;
  left_out: number;
  next_cycle: NextCycle;
  periods: Period[];
  you: WhoAmI;
}

export interface ChangedVerdict {
  name: string;
  state: State;
  before: Verdict;
  after: Verdict;
}

export interface Verdict {
  violations: Violation[];
  warnings: Violation[];
}

export interface NextCycle {
  before: Decision[];
  after: Decision[];
}

export interface Decision {
  job: string;
  decision: "start" | "preempt" | "stop" | "park" | "release";
  instance_type: string | null;
  reason: string;
}
