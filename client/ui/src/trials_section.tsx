// The trials of a tuning job: the best one, the objective of each, and how many remain.

import { useRef } from "preact/hooks";
import { Chart } from "./chart.tsx";
import type { Job } from "./contract.ts";
import { Fact } from "./fact.tsx";
import { withUnit } from "./metric_charts.ts";
import { useOnce } from "./once.ts";
import { ofJob, read } from "./server.ts";
import { chosenText, objectiveSummary, objectivesOf, type Trials } from "./trials.ts";
import { Trouble } from "./trouble.tsx";
import { clock, plural } from "./words.ts";

/** Each look costs SageMaker a call for each attempt and for each hundred trials. */
const EVERY = 60_000;

export function TrialsSection({ job, now }: { job: Job; now: number }) {
  const { value, error } = useOnce(
    () => read<Trials>(ofJob(job.name, "trials")),
    `${job.name} ${job.state} ${job.attempts.at(-1)?.ended_at ? 0 : Math.floor(now / EVERY)}`,
  );
  const kept = useRef<Trials | null>(null);
  if (value) kept.current = value;
  const shown = value ?? kept.current; // those of a minute ago while new ones are loaded
  return (
    <section aria-labelledby="trials-title">
      <header class="section-head">
        <h2 id="trials-title">Trials</h2>
        <span class="quiet" aria-live="polite">
          {!shown && !error && "Loading from SageMaker …"}
        </span>
      </header>
      {error && <Trouble error={error} />}
      {shown && <TrialFacts found={shown} job={job} />}
      {shown && <ObjectiveFigure found={shown} />}
      {shown && shown.trials.length > 0 && <TrialTable found={shown} now={now} />}
    </section>
  );
}

function TrialFacts({ found, job }: { found: Trials; job: Job }) {
  const best = found.trials.find((trial) => trial.name === found.best);
  return (
    <dl class="facts">
      {best && best.objective !== null && (
        <Fact name="best so far">
          {found.metric} {withUnit(best.objective, "")} <span class="quiet">{chosenText(best)}</span>
        </Fact>
      )}
      {found.remaining !== null && <Fact name="remaining">{plural(found.remaining, "trial")}</Fact>}
      {job.tuning && <Fact name="at a time">{job.tuning.parallel}</Fact>}
      {job.tuning && (
        <Fact name="after a preemption">
          {job.tuning.continues ? "continues by warm start" : "starts from nothing"}
        </Fact>
      )}
    </dl>
  );
}

function ObjectiveFigure({ found }: { found: Trials }) {
  const chart = objectivesOf(found);
  if (!chart.times.length || !found.metric) return null;
  return (
    <div class="charts">
      <figure class="chart-of">
        <figcaption>
          <strong>{found.metric}</strong> <span class="quiet">of each trial at its end, and the best so far</span>
        </figcaption>
        <Chart
          label={objectiveSummary(found.metric, chart)}
          times={chart.times}
          lines={[
            { name: "trial", colour: "--launching", values: chart.objectives, isDots: true },
            { name: "best so far", colour: "--running", values: chart.best, isStepped: true },
          ]}
          isFitted
        />
      </figure>
    </div>
  );
}

function TrialTable({ found, now }: { found: Trials; now: number }) {
  return (
    <details class="numbers of-section">
      <summary>As a table</summary>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Trial</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              {found.metric || "Objective"}
            </th>
            <th scope="col">Ended</th>
            <th scope="col">Hyperparameters</th>
          </tr>
        </thead>
        <tbody>
          {found.trials.map((trial) => (
            <tr key={trial.name}>
              <th scope="row">
                {trial.name}
                {trial.name === found.best && " (best)"}
              </th>
              <td>{trial.status}</td>
              <td class="number" data-label="objective">
                {trial.objective === null ? "" : withUnit(trial.objective, "")}
              </td>
              <td data-label="ended">{trial.ended_at && clock(trial.ended_at, now)}</td>
              <td class="wraps">{chosenText(trial)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
