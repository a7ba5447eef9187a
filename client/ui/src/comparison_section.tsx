// Another job beside the shown one: what differs in their requests, and their metrics in the same charts.

import { useState } from "preact/hooks";
import { differencesOf, overlaid } from "./comparison.ts";
import type { Job } from "./contract.ts";
import { ChartLegend, MetricFigure, useMetrics } from "./metrics_section.tsx";
import { useOnce } from "./once.ts";
import { linkTo, useQuery } from "./route.ts";
import { ofJob, read } from "./server.ts";
import { Trouble } from "./trouble.tsx";

export function ComparisonSection({ job, now }: { job: Job; now: number }) {
  const [query, setQuery] = useQuery();
  const name = query.get("with") ?? "";
  const [text, setText] = useState(name);
  return (
    <section aria-labelledby="comparison-title">
      <header class="section-head">
        <h2 id="comparison-title">Compare</h2>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setQuery({ with: text.trim() });
          }}
        >
          <label>
            <span class="unseen">Compare with job</span>
            <input
              type="search"
              placeholder="Another job"
              value={text}
              onInput={(event) => {
                setText(event.currentTarget.value);
                if (!event.currentTarget.value) setQuery({ with: "" });
              }}
            />
          </label>
        </form>
      </header>
      {name && <Compared key={name} job={job} name={name} now={now} />}
    </section>
  );
}

function Compared({ job, name, now }: { job: Job; name: string; now: number }) {
  const { value: other, error } = useOnce(() => read<Job>(ofJob(name)), name);
  if (error) return <Trouble error={error} />;
  if (!other) return <p class="empty">Loading {name} …</p>;
  return (
    <>
      <Differences one={job} other={other} />
      {job.attempts.length > 0 && other.attempts.length > 0 && <Overlaid one={job} other={other} now={now} />}
    </>
  );
}

function Differences({ one, other }: { one: Job; other: Job }) {
  const rows = differencesOf(one, other);
  if (!rows.length) return <p class="empty">Nothing but their names differs.</p>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Differs</th>
          <th scope="col">{one.name}</th>
          <th scope="col">
            <a class="link" href={linkTo(other.name)}>
              {other.name}
            </a>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td class="wraps" data-label={one.name}>
              {row.one || <span class="quiet">none</span>}
            </td>
            <td class="wraps" data-label={other.name}>
              {row.other || <span class="quiet">none</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Overlaid({ one, other, now }: { one: Job; other: Job; now: number }) {
  const [ours, theirs] = [useLastMetrics(one, now), useLastMetrics(other, now)];
  const error = ours.error ?? theirs.error;
  if (error) return <Trouble error={error} />;
  if (!ours.metrics || !theirs.metrics) return <p class="empty">Loading from CloudWatch …</p>;
  const charts = overlaid(ours.metrics, theirs.metrics, [one.name, other.name]);
  if (!charts.length) return <p class="nothing quiet">CloudWatch has no metrics for their last attempts.</p>;
  return (
    <>
      <p class="nothing">
        <span class="quiet">Their last attempts, since each began:</span> <ChartLegend names={[one.name, other.name]} />
      </p>
      <div class="charts small">
        {charts.map((chart) => (
          <MetricFigure key={chart.name} chart={chart} isElapsed />
        ))}
      </div>
    </>
  );
}

function useLastMetrics(job: Job, now: number) {
  const last = job.attempts.at(-1);
  return useMetrics(job.name, last?.name ?? "", last?.ended_at ? 0 : now);
}
