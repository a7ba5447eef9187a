// What differs between two jobs: their facts and requests, and their metrics since the start of training.

import type { Job } from "./contract.ts";
import type { AttemptMetrics, MetricChart } from "./metric_charts.ts";
import { costText } from "./money.ts";
import { NAME_MEMBERS } from "./submission.ts";
import { instances, person, span } from "./words.ts";

export interface Difference {
  name: string;
  one: string;
  other: string;
}

/** Differences that say nothing: each job has its own name. */
const OWN = new Set(NAME_MEMBERS);

/** Returns the facts that differ, and then the members of the requests that do. */
export function differencesOf(one: Job, other: Job): Difference[] {
  const [facts, others] = [factsOf(one), factsOf(other)];
  const [members, theirs] = [flat(one.request ?? {}), flat(other.request ?? {})];
  const paths = [...new Set([...members.keys(), ...theirs.keys()])].filter((path) => !OWN.has(path));
  return [
    ...Object.keys(facts).map((name) => ({ name, one: facts[name] ?? "", other: others[name] ?? "" })),
    ...paths.map((name) => ({ name, one: members.get(name) ?? "", other: theirs.get(name) ?? "" })),
  ].filter((row) => row.one !== row.other);
}

/** Returns the charts of both jobs' last attempts over the time since each began; the mean over the hosts of a job. */
export function overlaid(one: AttemptMetrics, other: AttemptMetrics, names: [string, string]): MetricChart[] {
  const both = [...one.charts, ...other.charts];
  const beginnings = [beginningOf(one), beginningOf(other)];
  return [...new Set(both.map((chart) => chart.name))].map((name) => {
    const means = [one, other].map(({ charts }, index) => {
      const chart = charts.find((known) => known.name === name);
      return meansOf(chart, beginnings[index] as number);
    });
    const times = [...new Set(means.flatMap((values) => [...values.keys()]))].sort((first, second) => first - second);
    const lines = means.map((values, index) => ({
      name: names[index] as string,
      values: times.map((time) => values.get(time) ?? null),
    }));
    return { name, unit: both.find((chart) => chart.name === name)?.unit ?? "", times, lines };
  });
}

function factsOf(job: Job): Record<string, string> {
  const trained = job.attempts.reduce((sum, { training_started_at: began, ended_at: ended }) => {
    return sum + (began && ended ? Date.parse(ended) - Date.parse(began) : 0);
  }, 0);
  return {
    state: job.state,
    owner: person(job.owner),
    team: job.team ?? "",
    priority: String(job.priority),
    instances: instances(job),
    attempts: String(job.attempts.length),
    "trained for": trained ? span(trained) : "",
    cost: job.cost ? costText(job.cost) : "",
  };
}

/** Returns the members of a request by their paths; tags by their keys. */
function flat(value: unknown, path = ""): Map<string, string> {
  if (value === null || typeof value !== "object") return new Map([[path, String(value)]]);
  const found = new Map<string, string>();
  for (const [key, part] of Object.entries(value)) {
    const tag = path === "Tags" ? (part as { Key: string; Value: string }) : null;
    const inner = tag ? new Map([[`Tags.${tag.Key}`, tag.Value]]) : flat(part, path ? `${path}.${key}` : key);
    for (const [name, text] of inner) found.set(name, text);
  }
  return found;
}

function beginningOf(metrics: AttemptMetrics): number {
  return Math.min(...metrics.charts.map((chart) => chart.times[0] ?? Number.POSITIVE_INFINITY));
}

function meansOf(chart: MetricChart | undefined, begin: number): Map<number, number> {
  const found = new Map<number, number>();
  chart?.times.forEach((time, index) => {
    const values = chart.lines.map((line) => line.values[index]).filter((value) => value != null);
    if (values.length) found.set(time - begin, values.reduce((sum, value) => sum + value, 0) / values.length);
  });
  return found;
}
