// How busy the hosts of an attempt are, and the values that MetricDefinitions find in its log.

import { useRef, useState } from "preact/hooks";
import { Chart } from "./chart.tsx";
import type { Job } from "./contract.ts";
import {
  type AttemptMetrics,
  figuresOf,
  lastOfEach,
  type MetricChart,
  metricSummary,
  topOf,
  withUnit,
} from "./metric_charts.ts";
import { useOnce } from "./once.ts";
import { ofJob, read } from "./server.ts";
import { Trouble } from "./trouble.tsx";

/** CloudWatch has a value a minute, and charges each metric that is read. */
const EVERY = 60_000;
const LINE_COLOURS = ["--running", "--launching", "--preempted", "--stopping"];

export function MetricsSection({ job, now }: { job: Job; now: number }) {
  const [chosen, setChosen] = useState("");
  const attempt = job.attempts.find((one) => one.name === chosen) ?? job.attempts.at(-1);
  const name = attempt?.name ?? "";
  const { metrics, error } = useMetrics(job.name, name, attempt?.ended_at ? 0 : now);
  const several = metrics?.charts.find((chart) => chart.lines.length > 1);
  const hosts = metrics?.charts.find((chart) => chart.lines[0]?.name !== chart.name)?.lines.length; // not of the log
  return (
    <section aria-labelledby="metrics-title">
      <header class="section-head">
        <h2 id="metrics-title">Metrics</h2>
        <label class="quiet">
          of{" "}
          <select value={name} onChange={(event) => setChosen(event.currentTarget.value)}>
            {job.attempts.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <span class="quiet" aria-live="polite">
          {!metrics && !error && "Loading from CloudWatch …"}
          {metrics && hosts && hosts < metrics.hosts && `the first ${hosts} of ${metrics.hosts} hosts`}
        </span>
        <span class="grow" />
        {several && <ChartLegend names={several.lines.map((line) => line.name)} />}
      </header>
      {error && <Trouble error={error} />}
      {metrics && !metrics.charts.length && (
        <p class="empty">
          CloudWatch has no metrics for this attempt: they begin about a minute after the training does.
        </p>
      )}
      {metrics && metrics.charts.length > 0 && (
        <>
          <div class="charts small">
            {metrics.charts.map((chart) => (
              <MetricFigure key={chart.name} chart={chart} />
            ))}
          </div>
          <Figures charts={metrics.charts} />
        </>
      )}
    </section>
  );
}

/** Returns the metrics of an attempt; those of a minute ago while new ones are loaded. `now` is 0 if it has ended. */
export function useMetrics(job: string, attempt: string, now: number) {
  const load = () => read<AttemptMetrics>(ofJob(job, "metrics"), { attempt });
  const { value, error } = useOnce(load, `${job} ${attempt} ${Math.floor(now / EVERY)}`);
  const kept = useRef<AttemptMetrics | null>(null);
  if (value) kept.current = value;
  const isKept = kept.current?.attempt === attempt;
  return { metrics: value ?? (isKept ? kept.current : null), error };
}

export function MetricFigure({ chart, isElapsed = false }: { chart: MetricChart; isElapsed?: boolean }) {
  return (
    <figure class="chart-of">
      <figcaption>
        <strong>{chart.name}</strong>{" "}
        <span class="quiet">{isElapsed ? lastOfEach(chart) : withUnit(figuresOf(chart).last, chart.unit)}</span>
      </figcaption>
      <Chart
        label={metricSummary(chart)}
        times={chart.times}
        lines={chart.lines.map((line, index) => ({
          name: line.name,
          values: line.values,
          colour: colourOf(index),
          isFilled: chart.lines.length === 1,
        }))}
        height={110}
        top={topOf(chart)}
        isFitted={!chart.unit}
        isElapsed={isElapsed}
      />
    </figure>
  );
}

function colourOf(line: number): string {
  return LINE_COLOURS[line % LINE_COLOURS.length] as string;
}

/** Names the lines of charts. */
export function ChartLegend({ names }: { names: readonly string[] }) {
  return (
    <span class="chart-legend quiet">
      {names.map((name, index) => (
        <span key={name}>
          <span class="swatch" style={{ background: `var(${colourOf(index)})` }} aria-hidden="true" /> {name}
        </span>
      ))}
    </span>
  );
}

const COLUMNS = ["Last", "Mean", "Least", "Most"] as const;

function Figures({ charts }: { charts: readonly MetricChart[] }) {
  return (
    <details class="numbers of-section">
      <summary>As a table</summary>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" class="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {charts.map((chart) => (
            <tr key={chart.name}>
              <th scope="row">{chart.name}</th>
              {COLUMNS.map((column) => (
                <td key={column} class="number" data-label={lower(column)}>
                  {withUnit(figuresOf(chart)[lower(column)], chart.unit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function lower<T extends string>(column: T): Lowercase<T> {
  return column.toLowerCase() as Lowercase<T>;
}
