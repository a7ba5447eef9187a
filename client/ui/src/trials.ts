// The trials of a tuning job, as the page's server reads them (client/src/sagequeue/ui/job_trials.py), and their chart.

import { withUnit } from "./metric_charts.ts";

export interface Trial {
  name: string;
  attempt: string;
  status: string;
  ended_at: string | null;
  /** The final value, if SageMaker counts the trial. */
  objective: number | null;
  /** The hyperparameters that SageMaker chose. */
  chosen: Record<string, string>;
}

export interface Trials {
  /** The name of the objective; empty if the definitions have several. */
  metric: string;
  goal: string;
  best: string | null;
  remaining: number | null;
  trials: Trial[];
}

export interface ObjectiveChart {
  /** In milliseconds. */
  times: number[];
  objectives: number[];
  /** The best value so far at each time. */
  best: number[];
}

/** Returns the objectives in the order of their ends. */
export function objectivesOf({ trials, goal }: Trials): ObjectiveChart {
  const ended = trials
    .flatMap(({ objective, ended_at }) =>
      objective === null || !ended_at ? [] : [{ objective, at: Date.parse(ended_at) }],
    )
    .sort((one, other) => one.at - other.at);
  const objectives = ended.map(({ objective }) => objective);
  const better = goal === "Minimize" ? Math.min : Math.max;
  let soFar = objectives[0] ?? 0;
  return {
    times: ended.map(({ at }) => at),
    objectives,
    best: objectives.map((value) => {
      soFar = better(soFar, value);
      return soFar;
    }),
  };
}

export function objectiveSummary(metric: string, { objectives, best }: ObjectiveChart): string {
  const [least, most, found] = [Math.min(...objectives), Math.max(...objectives), best.at(-1) ?? 0].map((value) =>
    withUnit(value, ""),
  );
  return `${metric} of ${objectives.length} trials: best ${found}, from ${least} to ${most}`;
}

export function chosenText({ chosen }: Trial): string {
  return Object.entries(chosen)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(", ");
}
