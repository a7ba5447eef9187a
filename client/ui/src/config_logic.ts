// What the view of the configuration computes: who may change a section, and what a plan changes.

import type { Decision, NextCycle } from "./config_contract.ts";
import type { WhoAmI } from "./contract.ts";

/** The kind of an editor that holds a whole file. */
export const FILE = "";

/** Returns whether the caller may change any section, as far as the page knows. */
export function mayConfigure(me: WhoAmI | null): boolean {
  return me === null || me.verbs.some((verb) => verb === "operate" || verb.startsWith("config:"));
}

/** Returns why the caller cannot change this kind of section, or any for a whole file; null if no reason is known. */
export function againstChange(kind: string, me: WhoAmI | null): string | null {
  if (!me || me.verbs.includes("operate") || me.verbs.includes("config:*")) return null;
  if (kind === FILE) {
    return mayConfigure(me) ? null : "You may not change the configuration; an operator can grant you more.";
  }
  return me.verbs.includes(`config:${kind}`)
    ? null
    : `You may not change ${kind}; an operator can grant you config:${kind}.`;
}

/** A job of which the next cycle would decide otherwise. */
export interface ChangedDecision {
  job: string;
  before: Decision[];
  after: Decision[];
}

/** Returns the jobs with other decisions; the same decision for another reason is none. */
export function changedDecisions(cycle: NextCycle): ChangedDecision[] {
  const jobs = new Set([...cycle.before, ...cycle.after].map((decision) => decision.job));
  const ofJob = (decisions: readonly Decision[], job: string) => decisions.filter((one) => one.job === job);
  return [...jobs]
    .map((job) => ({ job, before: ofJob(cycle.before, job), after: ofJob(cycle.after, job) }))
    .filter((one) => decided(one.before) !== decided(one.after));
}

/** Returns for example "start on ml.g5.xlarge"; "nothing" without a decision. */
export function decided(decisions: readonly Decision[]): string {
  const told = decisions.map(({ decision, instance_type }) => {
    const what = decision === "release" ? "release its warm pool" : decision;
    return instance_type ? `${what} on ${instance_type}` : what;
  });
  return told.join(", then ") || "nothing";
}
