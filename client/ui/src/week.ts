// The budget of each type over the coming seven days, as the segments of a strip.

import type { Period } from "./contract.ts";

const DAY = 86_400_000;
const DAYS = 7;

export interface Segment {
  from: number;
  until: number;
  instances: number;
  windows: readonly string[];
}

export interface Week {
  from: number;
  until: number;
  /** By instance type; neighbours differ. */
  strips: Map<string, Segment[]>;
}

/** `periods` are in their order; the first one is the present. */
export function weekOf(periods: readonly Period[], now: number): Week {
  const until = now + DAYS * DAY;
  const strips = new Map<string, Segment[]>();
  for (const [number, period] of periods.entries()) {
    const from = Math.max(now, Date.parse(period.begins));
    const end = Math.min(until, Date.parse(periods[number + 1]?.begins ?? "") || until);
    if (end <= from) continue;
    for (const kind of kinds(periods)) {
      const strip = strips.get(kind) ?? [];
      const instances = period.budget[kind] ?? 0;
      const last = strip.at(-1);
      if (last?.instances === instances) last.until = end;
      else strip.push({ from, until: end, instances, windows: period.windows });
      strips.set(kind, strip);
    }
  }
  return { from: now, until, strips };
}

/** Returns the midnights of the week in the browser's time zone. */
export function midnights({ from, until }: Week): Date[] {
  const first = new Date(from);
  const all = Array.from({ length: DAYS + 1 }, (_, day) => {
    return new Date(first.getFullYear(), first.getMonth(), first.getDate() + day + 1);
  });
  return all.filter((moment) => moment.getTime() < until);
}

function kinds(periods: readonly Period[]): string[] {
  return [...new Set(periods.flatMap((period) => Object.keys(period.budget)))];
}
