// Which changes of one's own jobs are worth a notification.

import type { Job, State } from "./contract.ts";

const TOLD: ReadonlySet<State> = new Set<State>(["running", "preempted", "parked", "completed", "failed", "stopped"]);
/** The states to ask for: also those before a told one, so that they are known; not those of a long backlog. */
export const WATCHED: readonly State[] = ["launching", "stopping", ...TOLD];

export interface Known {
  states: ReadonlyMap<string, State>;
  /** The time of the last change that is known. */
  latest: string;
}

/** Returns the jobs that have changed to a told state since `known`; none before anything is known. */
export function changedJobs(known: Known | null, jobs: readonly Job[]): Job[] {
  if (!known) return [];
  const isNew = (job: Job) => {
    const before = known.states.get(job.name);
    return before ? before !== job.state : job.updated_at > known.latest;
  };
  return jobs.filter((job) => TOLD.has(job.state) && isNew(job));
}

export function knownOf(jobs: readonly Job[], before: Known | null): Known {
  const times = [before?.latest ?? "", ...jobs.map((job) => job.updated_at)];
  return {
    states: new Map(jobs.map((job) => [job.name, job.state])),
    latest: times.sort().at(-1) ?? "",
  };
}
