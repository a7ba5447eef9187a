// Held, free and waited-for instances over time, as the page's server sums them up (client/src/sagequeue/reports/usage.py).

import { clock, person, told } from "./words.ts";

/** The values of a series are the means over each step. */
export interface Usage {
  begin: string;
  step_seconds: number;
  steps: number;
  groups: UsageGroup[];
  marks: Mark[];
}

export interface UsageGroup {
  name: string;
  held: number[];
  waiting: number[];
  /** The budget; not by team. */
  limit?: number[];
}

/** A preemption of a job by another one or by the budget, or a budget change by an operator or the calendar. */
export interface Mark {
  at: string;
  kind: "preemption" | "budget";
  job: string | null;
  by: string | null;
  instances: Record<string, number>;
}

/** A row of the table: the means over a part of the time. */
export interface UsageRow {
  begin: number;
  held: number;
  waiting: number;
  free: number | null;
}

/** Returns the beginning of each step, in milliseconds, and the end of the last one. */
export function edges(usage: Usage): number[] {
  const begin = Date.parse(usage.begin);
  return Array.from({ length: usage.steps + 1 }, (_, index) => begin + index * usage.step_seconds * 1000);
}

/** Returns the instances of each step that jobs could have had; null without a budget. */
export function free(group: UsageGroup): number[] | null {
  return group.limit?.map((limit, index) => Math.max(0, limit - (group.held[index] ?? 0))) ?? null;
}

/** Returns the means over `rows` equal parts of the time. */
export function rowsOf(usage: Usage, group: UsageGroup, rows: number): UsageRow[] {
  const each = Math.ceil(usage.steps / rows);
  const begins = edges(usage);
  const unused = free(group);
  const found: UsageRow[] = [];
  for (let first = 0; first < usage.steps; first += each) {
    const part = (values: number[]) => mean(values.slice(first, first + each));
    found.push({
      begin: begins[first] ?? 0,
      held: part(group.held),
      waiting: part(group.waiting),
      free: unused && part(unused),
    });
  }
  return found;
}

/** Returns what a reader who does not see the chart needs to know of it. */
export function summary(group: UsageGroup): string {
  const unused = free(group);
  const parts = [levels("held", group.held), levels("waiting", group.waiting), unused && levels("free", unused)];
  return `${group.name}: ${parts.filter(Boolean).join("; ")}`;
}

/** Returns the marks that concern a group; by team, all of them. */
export function marksOf(usage: Usage, group: UsageGroup): Mark[] {
  return usage.marks.filter((mark) => group.limit === undefined || group.name in mark.instances);
}

export function said(mark: Mark): string {
  if (mark.kind === "preemption") {
    return mark.by ? `${mark.job} was preempted for ${mark.by}` : `${mark.job} was preempted to meet the budget`;
  }
  return `${told(mark.instances)}, by ${person(mark.by ?? "")}`;
}

/** Returns a step's values, as the line above a chart shows them. */
export function valuesAt(usage: Usage, group: UsageGroup, step: number, now: number): string {
  const unused = free(group);
  const parts = [`held ${short(group.held[step])}`, `waiting ${short(group.waiting[step])}`];
  if (unused) parts.push(`free ${short(unused[step])}`);
  return `${clock(edges(usage)[step] ?? 0, now)}: ${parts.join(", ")}`;
}

/** Returns a count with at most one decimal. */
export function short(value: number | undefined): string {
  return (Math.round((value ?? 0) * 10) / 10).toLocaleString("en");
}

function levels(name: string, values: readonly number[]): string {
  return `${name} ${short(mean(values))} on average, ${short(Math.max(0, ...values))} at most`;
}

function mean(values: readonly number[]): number {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
}
