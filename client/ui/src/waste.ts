// What became of the instances' time, told from the attempts of jobs that ended.

import type { Attempt, Job } from "./contract.ts";
import { total } from "./words.ts";

/** What a second of an instance went into. The order is that of the bar. */
export const USES = {
  work: "runs that completed",
  resumed: "preempted, with checkpoints",
  lost: "preempted, without checkpoints",
  failed: "failed",
  idle: "stopped for idle GPUs",
  stopped: "cancelled or stopped",
  startup: "starting up",
} as const;
export type Use = keyof typeof USES;

export interface Account {
  jobs: number;
  /** Instance-milliseconds by what they went into. */
  uses: Record<Use, number>;
  all: number;
  /** Milliseconds from submission to the first start, of each job that started. */
  waits: number[];
}

export function account(jobs: readonly Job[]): Account {
  const uses: Record<Use, number> = { work: 0, resumed: 0, lost: 0, failed: 0, idle: 0, stopped: 0, startup: 0 };
  for (const job of jobs) {
    for (const attempt of job.attempts) {
      const width = total(job.instances);
      const [startup, rest] = parts(attempt);
      uses.startup += startup * width;
      uses[use(attempt, job)] += rest * width;
    }
  }
  return {
    jobs: jobs.length,
    uses,
    all: Object.values(uses).reduce((sum, time) => sum + time, 0),
    waits: jobs.flatMap((job) => (job.attempts[0] ? [firstWait(job, job.attempts[0])] : [])),
  };
}

/** The accounts of those who share a key, the largest first. */
export function accountsBy(jobs: readonly Job[], key: (job: Job) => string): [string, Account][] {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) groups.set(key(job), [...(groups.get(key(job)) ?? []), job]);
  const accounts = [...groups].map(([name, group]): [string, Account] => [name, account(group)]);
  return accounts.sort(([, one], [, other]) => other.all - one.all);
}

/** The value that a share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Milliseconds until it trained, and from then on. What never trained was starting up all the time. */
function parts(attempt: Attempt): [number, number] {
  const from = Date.parse(attempt.reserved_at);
  const until = Math.max(from, Date.parse(attempt.ended_at ?? attempt.reserved_at));
  const trains = attempt.training_started_at ? Date.parse(attempt.training_started_at) : until;
  const started = Math.min(Math.max(trains, from), until);
  return [started - from, until - started];
}

function use(attempt: Attempt, job: Job): Use {
  switch (attempt.outcome) {
    case "completed":
      return "work";
    case "preempted":
      return job.has_checkpoints ? "resumed" : "lost";
    case "failed":
      return "failed";
    case "idle":
      return "idle";
    default:
      return "stopped";
  }
}

function firstWait(job: Job, first: Attempt): number {
  return Math.max(0, Date.parse(first.reserved_at) - Date.parse(job.submitted_at));
}
