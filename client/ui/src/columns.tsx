// The columns of the list of jobs: their cells, their order when the list is sorted by them, and their texts in a file.

import type { ComponentChildren } from "preact";
import { type Explanation, type Job, QUEUED, type State } from "./contract.ts";
import { instances, person, since, span, start, total, why } from "./words.ts";

export interface Column {
  label: string;
  /** Of its cells; their widths and places are in tables.css and narrow.css. */
  className: string;
  isNumber?: boolean;
  /** Before its value on a card, where no header names it. */
  onCard?: string;
  cell: (job: Job, now: number, explanation: Explanation | undefined) => ComponentChildren;
  title?: (job: Job, now: number) => string;
  /** Absent: the list cannot be sorted by it. */
  order?: (job: Job) => number | string;
  /** Absent: the column is not in a file. */
  text?: (job: Job, now: number) => string;
}

const STATES: readonly State[] = [
  "running",
  "launching",
  "stopping",
  "pending",
  "preempted",
  "held",
  "parked",
  "completed",
  "failed",
  "stopped",
];

/** In the order of the table. The name is always shown. */
export const COLUMNS: Readonly<Record<string, Column>> = {
  position: {
    label: "#",
    className: "place quiet",
    isNumber: true,
    cell: (job) => job.position ?? "",
    text: (job) => String(job.position ?? ""),
  },
  name: {
    label: "Job",
    className: "name",
    cell: (job) => job.name,
    order: (job) => job.name,
    text: (job) => job.name,
  },
  state: {
    label: "State",
    className: "in-state",
    cell: (job) => <StateMark job={job} />,
    order: (job) => STATES.indexOf(job.state),
    text: (job) => job.state,
  },
  priority: {
    label: "Priority",
    className: "priority",
    isNumber: true,
    onCard: "priority",
    cell: (job) => job.priority,
    order: (job) => job.priority,
    text: (job) => String(job.priority),
  },
  instances: {
    label: "Instances",
    className: "on",
    cell: instances,
    title: instances,
    order: (job) => total(job.instances),
    text: instances,
  },
  owner: {
    label: "Owner",
    className: "owner",
    cell: (job) => (
      <>
        {person(job.owner)}
        {job.team && <small class="quiet"> {job.team}</small>}
      </>
    ),
    title: (job) => job.owner,
    order: (job) => person(job.owner),
    text: (job) => job.owner,
  },
  team: {
    label: "Team",
    className: "team extra",
    cell: (job) => job.team ?? "",
    title: (job) => job.team ?? "",
    order: (job) => job.team ?? "",
    text: (job) => job.team ?? "",
  },
  age: {
    label: "Age",
    className: "age",
    isNumber: true,
    onCard: "age",
    cell: (job, now) => since(job.submitted_at, now),
    title: (job) => job.submitted_at,
    order: (job) => -Date.parse(job.submitted_at),
    text: (job) => job.submitted_at,
  },
  limit: {
    label: "Time limit",
    className: "limit extra",
    isNumber: true,
    cell: (job) => span(job.max_runtime * 1000),
    order: (job) => job.max_runtime,
    text: (job) => String(job.max_runtime),
  },
  preemptions: {
    label: "Preempted",
    className: "preemptions extra",
    isNumber: true,
    cell: (job) => job.preemptions || "",
    order: (job) => job.preemptions,
    text: (job) => String(job.preemptions),
  },
  starts: {
    label: "May start",
    className: "starts",
    cell: (job, now, explanation) => (QUEUED.has(job.state) && explanation ? start(explanation.starts, now) : ""),
  },
  why: {
    label: "Why",
    className: "why",
    cell: why,
    title: why,
    order: (job) => job.reason.code,
    text: why,
  },
};

const EXTRA: ReadonlySet<string> = new Set(["team", "limit", "preemptions"]);
/** What the table shows until columns are chosen. */
export const USUAL: readonly string[] = Object.keys(COLUMNS).filter((key) => !EXTRA.has(key));
/** What a file has in place of the shown texts: times are moments there, limits are seconds. */
const IN_FILE: Readonly<Record<string, string>> = {
  position: "position",
  age: "submitted_at",
  limit: "time_limit_seconds",
};

/** Returns the chosen columns that exist, in the order of the table, the name among them. */
export function columnsOf(chosen: string): string[] {
  const keys = chosen ? new Set(chosen.split(",")) : new Set(USUAL);
  return Object.keys(COLUMNS).filter((key) => key === "name" || keys.has(key));
}

/** Returns the jobs sorted by a column, `-` before it for the reverse; in the order of the queue without one. */
export function sorted(jobs: readonly Job[], by: string): readonly Job[] {
  const order = COLUMNS[by.replace(/^-/, "")]?.order;
  if (!order) return jobs;
  const sign = by.startsWith("-") ? -1 : 1;
  const keyed = jobs.map((job) => ({ job, key: order(job) }));
  return keyed.sort((one, other) => sign * compared(one.key, other.key)).map(({ job }) => job);
}

/** Returns the jobs as CSV, with the columns that have a text. */
export function csvOf(jobs: readonly Job[], keys: readonly string[], now: number): string {
  const columns = keys.flatMap((key) => {
    const text = COLUMNS[key]?.text;
    return text ? [{ head: IN_FILE[key] ?? key, text }] : [];
  });
  const lines = jobs.map((job) => columns.map(({ text }) => csvCell(text(job, now))));
  return `${[columns.map(({ head }) => head), ...lines].map((cells) => cells.join(",")).join("\r\n")}\r\n`;
}

export function StateMark({ job }: { job: Job }) {
  return <span class={`state ${job.state}`}>{job.state}</span>;
}

function compared(one: number | string, other: number | string): number {
  if (typeof one === "string") return one.localeCompare(String(other), "en", { numeric: true });
  return one - Number(other);
}

/** No spreadsheet takes the cell for a formula: an apostrophe marks it as text. Negative numbers stay numbers. */
function csvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
