// The actions on a job, and the reasons against them. The queue itself decides: it may still refuse a call.

import { ENDED, type Job, LIVE, QUEUED, type WhoAmI } from "./contract.ts";
import { change, ofJob } from "./server.ts";

export type Verb = "approve" | "top" | "priority" | "hold" | "release" | "requeue" | "cancel";

export const VERBS: Record<Verb, { label: string; key: string; meaning: string }> = {
  approve: { label: "Approve", key: "a", meaning: "let it start although it is above a limit" },
  top: { label: "To the top", key: "t", meaning: "move ahead of all other waiting jobs of its priority" },
  priority: { label: "Priority…", key: "p", meaning: "higher starts first" },
  hold: { label: "Hold", key: "h", meaning: "keep it from starting until it is released; it keeps its age" },
  release: { label: "Release", key: "r", meaning: "put it back into the queue" },
  requeue: { label: "Queue again", key: "q", meaning: "stop it and queue it again, or retry it" },
  cancel: { label: "Cancel…", key: "c", meaning: "remove it from the queue, or stop it" },
};

export const DONE: Record<Verb, string> = {
  approve: "approved",
  top: "moved to the top",
  priority: "now with priority",
  hold: "held",
  release: "released",
  requeue: "queued again",
  cancel: "cancelled",
};

/** Returns why the caller cannot do that to the job; null if no reason is known. */
export function against(verb: Verb, job: Job, me: WhoAmI | null): string | null {
  return againstState(verb, job) ?? (verb === "approve" ? againstApprover(me) : againstCaller(job, me));
}

function againstState(verb: Verb, job: Job): string | null {
  const waits = QUEUED.has(job.state);
  const is = `${job.name} is ${job.state}`;
  switch (verb) {
    case "approve":
      return needsApproval(job) ? null : `${job.name} needs no approval.`;
    case "top":
      return waits ? null : `${is}; only waiting jobs can move to the top.`;
    case "hold":
      return waits ? null : `${is}; only waiting jobs can be held.`;
    case "release":
      return job.state === "held" ? null : `${is}; only held jobs can be released.`;
    case "priority":
      return ENDED.has(job.state) ? `${is}; ended jobs cannot be changed.` : null;
    case "cancel":
      return ENDED.has(job.state) ? `${is}; ended jobs cannot be changed.` : null;
    case "requeue":
      return waits || job.state === "held" || job.state === "completed"
        ? `${is}; only running, failed, stopped and parked jobs can be queued again.`
        : null;
  }
}

/** Returns whether the job is parked until an operator approves it. */
export function needsApproval(job: Job): boolean {
  return job.state === "parked" && job.reason.code === "needs_approval";
}

function againstApprover(me: WhoAmI | null): string | null {
  return me === null || me.verbs.includes("operate") ? null : "Only operators can approve jobs.";
}

function againstCaller(job: Job, me: WhoAmI | null): string | null {
  if (job.may_control) return null;
  if (!mayControl(me)) return "You have read access only; an operator can grant you more.";
  return `${job.name} belongs to another caller; its owner or an operator can do this.`;
}

/** Returns whether the caller may submit jobs, as far as the page knows. */
export function maySubmit(me: WhoAmI | null): boolean {
  return me === null || me.verbs.includes("submit");
}

/** Returns whether the caller may change any job, as far as the page knows. */
export function mayControl(me: WhoAmI | null): boolean {
  return me === null || ["operate", "control_team", "control_own"].some((verb) => me.verbs.includes(verb));
}

export async function act(verb: Verb, job: Job, priority?: number): Promise<Job> {
  if (priority !== undefined) return change<Job>(ofJob(job.name, "update"), { options: { priority } });
  return change<Job>(ofJob(job.name, verb), bodyOf(verb, job));
}

/** Returns the body that limits the action to the job as the page shows it. */
function bodyOf(verb: Verb, job: Job): Record<string, number> | undefined {
  if (verb === "approve") return { max_runtime: longestLimit(job) };
  return verb === "requeue" ? { attempt: latestAttempt(job) } : undefined;
}

/** Returns the number of the latest attempt that the page shows, or 0: a requeue that names it stops no later one. */
export function latestAttempt(job: Job): number {
  return job.attempts.at(-1)?.number ?? 0;
}

/** Returns the longest time limit that the page shows of the job: an approval covers no longer one. */
function longestLimit(job: Job): number {
  return Math.max(job.max_runtime, ...job.choices.map((choice) => choice.max_runtime));
}

/** The action that undoes another one. */
export interface Undo {
  label: string;
  verb: Verb;
  priority?: number;
}

/** Returns the action that undoes it, if one exists. `before` is the job as it was. */
export function undoing(verb: Verb, before: Job): Undo | null {
  switch (verb) {
    case "hold":
      return { label: "Undo", verb: "release" };
    case "release":
      return { label: "Undo", verb: "hold" };
    case "priority":
      return { label: "Undo", verb: "priority", priority: before.priority };
    case "cancel":
      // A running job has to stop first and loses its work since the last checkpoint: this cannot be undone.
      return LIVE.has(before.state) ? null : { label: "Queue again", verb: "requeue" };
    default:
      return null;
  }
}
