// The actions on a job, and the reasons against them. The queue itself decides: it may still refuse a call.

import { ENDED, type Job, LIVE, QUEUED, type WhoAmI } from "./contract.ts";
import { change, ofJob } from "./server.ts";

export type Verb = "top" | "priority" | "hold" | "release" | "requeue" | "cancel";

export const VERBS: Record<Verb, { label: string; key: string; meaning: string }> = {
  top: { label: "To the top", key: "t", meaning: "move before all other waiting jobs of its priority" },
  priority: { label: "Priority…", key: "p", meaning: "higher starts first" },
  hold: { label: "Hold", key: "h", meaning: "keep it from starting until it is released; it keeps its age" },
  release: { label: "Release", key: "r", meaning: "put it back into the queue" },
  requeue: { label: "Queue again", key: "q", meaning: "stop it and queue it again, or retry it" },
  cancel: { label: "Cancel…", key: "c", meaning: "remove it from the queue, or stop it" },
};

/** Returns why the caller cannot do that to the job; null if no reason is known. */
export function against(verb: Verb, job: Job, me: WhoAmI | null): string | null {
  return againstState(verb, job) ?? (me && againstCaller(job, me));
}

function againstState(verb: Verb, job: Job): string | null {
  const waits = QUEUED.has(job.state);
  const is = `${job.name} is ${job.state}`;
  switch (verb) {
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

function againstCaller(job: Job, me: WhoAmI): string | null {
  if (me.verbs.includes("operate")) return null;
  if (me.verbs.includes("control_team")) return null; // only the queue knows which teams are the caller's
  if (!me.verbs.includes("control_own")) return "You have read access only; an operator can grant you more.";
  const isOwn = principal(job.owner) === principal(me.arn);
  return isOwn ? null : `${job.name} belongs to another caller; its owner or an operator can do this.`;
}

/** Returns account and role or user of an ARN: callers choose the rest when they assume a role. */
function principal(arn: string): string {
  const [, , , , account, name = ""] = arn.split(":");
  const [kind, role] = name.split("/");
  return kind === "assumed-role" ? `${account}:role/${role}` : `${account}:${name}`;
}

export async function act(verb: Verb, name: string, priority?: number): Promise<Job> {
  return change<Job>(ofJob(name, verb), priority === undefined ? undefined : { priority });
}

/** Returns the action that undoes it, if one exists. `before` is the job as it was. */
export function undoing(verb: Verb, before: Job): { label: string; undo: () => Promise<Job> } | null {
  switch (verb) {
    case "hold":
      return { label: "Undo", undo: () => act("release", before.name) };
    case "release":
      return { label: "Undo", undo: () => act("hold", before.name) };
    case "priority":
      return { label: "Undo", undo: () => act("priority", before.name, before.priority) };
    case "cancel":
      // A running job has to stop first and loses its work since the last checkpoint: this cannot be undone.
      return LIVE.has(before.state) ? null : { label: "Queue again", undo: () => act("requeue", before.name) };
    default:
      return null;
  }
}
