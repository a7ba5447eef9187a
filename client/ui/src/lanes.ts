// Puts attempts into lanes, one per instance. SageMaker's instances have no names: a lane is a place in the budget.

import { type Attempt, type Job, LIVE, type Starts } from "./contract.ts";

export interface Held {
  job: Job;
  attempt: Attempt;
  from: number;
  until: number | null; // null: it still holds its instances
}

export interface Bar {
  held: Held;
  lane: number;
  height: number; // in lanes
}

export interface Reserved {
  job: Job;
  lane: number;
  height: number;
  starts: Starts;
}

/** Returns the attempts that have held instances of a type since `since`, the earliest first. */
export function heldInstances(jobs: readonly Job[], kind: string, since: number): Held[] {
  return jobs
    .flatMap((job) => job.attempts.map((attempt) => ({ job, attempt, ...time(attempt) })))
    .filter((held) => instancesOf(held)[kind])
    .filter((held) => held.until === null || (held.until > since && held.until > held.from))
    .sort((one, other) => one.from - other.from || one.attempt.name.localeCompare(other.attempt.name));
}

/** Returns where each attempt is drawn. It takes lanes that are free at its start, side by side if possible. */
export function laneBars(all: readonly Held[], kind: string, limit: number): Bar[] {
  const freeAt: number[] = new Array(limit).fill(Number.NEGATIVE_INFINITY);
  return all.flatMap((held) => {
    const wanted = instancesOf(held)[kind] ?? 0;
    const taken = takeLanes(freeAt, held.from, wanted);
    for (const lane of taken) freeAt[lane] = held.until ?? Number.POSITIVE_INFINITY;
    return runs(taken).map(([lane, height]) => ({ held, lane, height }));
  });
}

/** Returns where reserved jobs are drawn: in the lanes of the job that they wait for, else in the first free lanes. */
export function laneReservations(
  waiting: readonly { job: Job; starts: Starts | null }[],
  bars: readonly Bar[],
  kind: string,
  limit: number,
): Reserved[] {
  const promised = new Set<number>();
  return waiting.flatMap(({ job, starts }) => {
    const wanted = job.instances[kind] ?? 0;
    if (!starts?.earliest || !wanted) return [];
    const live = bars.filter((bar) => bar.held.until === null);
    const held = new Set(live.flatMap(lanesOf));
    const first = live.filter((bar) => bar.held.job.name === starts.after).flatMap(lanesOf);
    const all = Array.from({ length: limit }, (_, lane) => lane);
    const order = [...first, ...all.filter((lane) => !held.has(lane)), ...all];
    const lanes = [...new Set(order)].filter((lane) => !promised.has(lane)).slice(0, wanted);
    for (const lane of lanes) promised.add(lane);
    return runs(lanes.sort((one, other) => one - other)).map(([lane, height]) => ({ job, lane, height, starts }));
  });
}

/** A job with one of these reasons has a reservation: KEEPS_INSTANCES in core/jobs/reason.py. */
const KEEPS_INSTANCES: ReadonlySet<string> = new Set([
  "waits_for_budget",
  "waits_to_preempt",
  "waits_for_stopping",
  "waits_for_preemption",
  "waits_for_calendar",
  "team_ceiling",
  "reserved_for_team",
]);

export function keepsInstances(job: Job): boolean {
  return KEEPS_INSTANCES.has(job.reason.code);
}

/** Returns when the attempt reaches its time limit. */
export function latestEnd(held: Held): number {
  return Date.parse(held.attempt.training_started_at ?? held.attempt.reserved_at) + held.job.max_runtime * 1000;
}

/** Returns the time span that shows the start of all live attempts, as one of a few round spans. */
export function fittingSpan(jobs: readonly Job[], now: number): number {
  const starts = jobs.filter((job) => LIVE.has(job.state)).map((job) => job.attempts.at(-1)?.reserved_at);
  const longest = Math.max(0, ...starts.map((start) => (start ? now - Date.parse(start) : 0)));
  return SPANS.find((one) => one >= longest * 1.15) ?? (SPANS.at(-1) as number);
}

const MINUTE = 60_000;
export const SPANS = [1, 2, 5, 10, 20, 40, 90, 180, 360, 720, 1440, 2880, 5760, 10_080].map(
  (minutes) => minutes * MINUTE,
);

/** Returns the instances that the attempt held; later attempts of its job may have others. */
function instancesOf({ job, attempt }: Held): Record<string, number> {
  return attempt.selected ?? job.choices[attempt.choice]?.instances ?? job.instances;
}

function time(attempt: Attempt): { from: number; until: number | null } {
  return {
    from: Date.parse(attempt.reserved_at),
    until: attempt.outcome === null ? null : Date.parse(attempt.ended_at ?? attempt.reserved_at),
  };
}

/** Returns lanes that are free at that time, side by side if possible; beyond the budget's if it was larger then. */
function takeLanes(freeAt: number[], from: number, wanted: number): number[] {
  const free = freeAt.flatMap((at, lane) => (at <= from ? [lane] : []));
  const side = free.find((lane) => free.includes(lane + wanted - 1) && rangeIsFree(freeAt, lane, wanted, from));
  if (side !== undefined) return Array.from({ length: wanted }, (_, index) => side + index);
  const beyond = Array.from({ length: Math.max(0, wanted - free.length) }, (_, index) => freeAt.length + index);
  return [...free.slice(0, wanted), ...beyond];
}

function rangeIsFree(freeAt: number[], lane: number, wanted: number, from: number): boolean {
  return freeAt.slice(lane, lane + wanted).every((at) => at <= from);
}

/** Groups adjacent lanes, as [first, count]. */
function runs(lanes: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const lane of lanes) {
    const last = found.at(-1);
    if (last && last[0] + last[1] === lane) last[1] += 1;
    else found.push([lane, 1]);
  }
  return found;
}

function lanesOf(bar: Bar): number[] {
  return Array.from({ length: bar.height }, (_, index) => bar.lane + index);
}
