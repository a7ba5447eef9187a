// The error of a call that the queue refused, or that did not reach it.

import type { Problem } from "./config_contract.ts";
import type { Violation } from "./contract.ts";

interface Details {
  problems?: Problem[];
  field?: string | null;
  violations?: Violation[];
}

/** The queue refused the call, or could not be reached. */
export class Refusal extends Error {
  readonly code: string;
  readonly remedy: string;
  /** Of a refused configuration. */
  readonly problems: readonly Problem[];
  /** Of a refused request: the member that it is refused for. */
  readonly field: string | null;
  /** The rules that a request breaks. */
  readonly violations: readonly Violation[];

  constructor(code: string, message: string, remedy: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.problems = details.problems ?? [];
    this.field = details.field ?? null;
    this.violations = details.violations ?? [];
  }
}

/** Returns the refusal that a call failed with, or one for an error of the page itself. */
export function refusalOf(cause: unknown): Refusal {
  return cause instanceof Refusal ? cause : new Refusal("unexpected", String(cause), "Reload the page.");
}
