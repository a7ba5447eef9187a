// The use of instance time, from the sums of `sagequeue report`.

import type { Sums } from "./contract.ts";

/** The uses of a second of an instance, in the order of the bar. */
export const USES = {
  completed: "completed",
  kept: "preempted, in a checkpoint",
  lost: "preempted, lost at most",
  failed: "failed",
  idle: "stopped for idle GPUs",
  stopped: "cancelled or stopped",
  starting: "starting up",
  retained: "warm pools",
} as const;
export type Use = keyof typeof USES;

/** In instance-milliseconds. */
export function uses(sums: Sums): Record<Use, number> {
  const seconds = {
    completed: sums.completed_instance_seconds,
    kept: Math.max(0, sums.preempted_instance_seconds - sums.lost_at_most_instance_seconds),
    lost: sums.lost_at_most_instance_seconds,
    failed: sums.failed_instance_seconds,
    idle: sums.idle_instance_seconds,
    stopped: sums.stopped_instance_seconds,
    starting: sums.starting_instance_seconds,
    retained: sums.retained_instance_seconds,
  };
  for (const use of Object.keys(seconds) as Use[]) seconds[use] *= 1000;
  return seconds;
}

export function held(sums: Sums): number {
  return Object.values(uses(sums)).reduce((sum, time) => sum + time, 0);
}

/** Sorts the groups by the time that they held instances, longest first; days in their order. */
export function ordered(groups: Record<string, Sums>, by: string): [string, Sums][] {
  const all = Object.entries(groups);
  return by === "day" ? all.reverse() : all.sort(([, one], [, other]) => held(other) - held(one));
}

/** Returns "?" without any known price, and a trailing "+" if some prices are unknown. */
export function sum(amount: string, sums: Sums): string {
  if (sums.unpriced_runs && sums.unpriced_runs === sums.runs) return "?";
  return amount + (sums.unpriced_runs ? "+" : "");
}
