// Formats times, amounts and callers.

import { type Attempt, type Job, LIVE, type Starts } from "./contract.ts";
import { nameOf, withNames } from "./names.ts";

/** Returns for example "45 s", "12 min", "3 h 05 min", "4 d 2 h". */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10 && seconds % 60) return `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${String(minutes % 60).padStart(2, "0")} min` : `${hours} h`;
  return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours / 24} d`;
}

export function since(time: string, now: number): string {
  return span(now - Date.parse(time));
}

/** Returns what the program of the live attempt has reported; nothing without one that writes checkpoints. */
export function saves(job: Job, now: number): string {
  const attempt = job.attempts.at(-1);
  if (!attempt || attempt.ended_at || !job.has_checkpoints) return "";
  const { saved } = attempt;
  const last = saved
    ? `last saved ${since(saved.saved_at, now)} ago (step ${saved.step.toLocaleString("en-US")})`
    : "none reported";
  return `${last}; ${noticeOf(attempt)}`;
}

function noticeOf(attempt: Attempt): string {
  if (attempt.listens) return "the program reads stop notices";
  if (attempt.takes_notice) return "the program has not reported that it reads stop notices, see sagequeue doctor";
  return "this attempt gets no stop notice";
}

/** Returns a time of today as hh:mm:ss, another one with its day, in the browser's time zone. */
export function clock(time: string | number, now = Date.now()): string {
  const moment = new Date(time);
  const hours = moment.toLocaleTimeString("en-GB");
  return new Date(now).toDateString() === moment.toDateString() ? hours : `${day(moment)} ${hours}`;
}

function day(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** Returns the instances as `sagequeue ls` prints them: all of them, or the preferences that SageMaker selects from. */
export function instances(job: Job): string {
  return told(job.instances, job.preferences?.length ? " or " : " + ");
}

export function told(wanted: Record<string, number>, among = " + "): string {
  return Object.entries(wanted)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(among);
}

export function total(wanted: Record<string, number>): number {
  return Object.values(wanted).reduce((sum, count) => sum + count, 0);
}

/** Returns "Vision/ada" of "arn:aws:sts::123456789012:assumed-role/Vision/ada"; other texts unchanged. */
export function person(arn: string): string {
  const name = nameOf(arn);
  if (name !== null) return name;
  const caller = arn.split(":").slice(5).join(":");
  // A user in IAM may be called like a mail address, and must not pass for the person who has it.
  const isLikePerson = caller.startsWith("user/") && caller.includes("@");
  return (isLikePerson ? caller : caller.replace(/^(assumed-role|user)\//, "")) || arn;
}

/** Returns when a waiting job may start: "now", "in 2 min to 5 min", or that it is unknown. */
export function start(starts: Starts | null, now: number): string {
  if (!starts?.earliest) return "unknown";
  const soonest = ahead(starts.earliest, now);
  if (!starts.latest) return `in ${soonest} or later`;
  const longest = ahead(starts.latest, now);
  if (longest === "0 s") return "now";
  return soonest === longest ? `in ${soonest}` : `in ${soonest} to ${longest}`;
}

function ahead(time: string, now: number): string {
  return span(Date.parse(time) - now);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Returns the reason for a job's state: of a job that trains, its time so far; of one that starts, SageMaker's message. */
export function why(job: Job, now: number): string {
  const attempt = job.attempts.at(-1);
  if (LIVE.has(job.state) && job.reason.code === "running" && attempt) {
    const began = attempt.training_started_at;
    if (began) return `running ${span(now - Date.parse(began))} of ${span(job.max_runtime * 1000)}`;
    const said = attempt.message || attempt.secondary_status;
    if (said) return said;
  }
  return withNames(job.reason.message) || job.reason.code.replaceAll("_", " ");
}
