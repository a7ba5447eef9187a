// Held, free and waited-for instances of the last day or week, a chart for each type or team.

import { useState } from "preact/hooks";
import { Chart, type ChartMark, type Line } from "./chart.tsx";
import { useOnce } from "./once.ts";
import { linkTo, useQuery } from "./route.ts";
import { read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import {
  edges,
  free,
  type Mark,
  marksOf,
  rowsOf,
  said,
  short,
  summary,
  type Usage,
  type UsageGroup,
  valuesAt,
} from "./usage.ts";
import { clock, plural } from "./words.ts";

const DAYS: Record<string, string> = { "1": "24 hours", "7": "7 days" };
const BY: Record<string, string> = { type: "instance type", team: "team" };
const ROWS = 12;
/** The number of listed preemptions and budget changes, the latest ones. */
const LISTED = 20;
const COLOURS = { preemption: "--preempted", budget: "--held" } as const;

export function UsageCharts({ now, looks }: { now: number; looks: number }) {
  const [query, setQuery] = useQuery();
  const days = oneOf(DAYS, query.get("days"));
  const by = oneOf(BY, query.get("over"));
  const { value: usage, error } = useOnce(() => read<Usage>("usage", { days, by }), `${days} ${by} ${looks}`);
  return (
    <section aria-labelledby="usage-title">
      <header class="section-head">
        <h2 id="usage-title">Instances over time</h2>
        <Choice label="Last" options={DAYS} value={days} onChange={(value) => setQuery({ days: value })} />
        <Choice label="For each" options={BY} value={by} onChange={(value) => setQuery({ over: value })} />
        <span class="quiet" aria-live="polite">
          {!usage && !error && "Loading the history …"}
        </span>
        <span class="grow" />
        <Legend hasLimit={by === "type"} />
      </header>
      {error && <Trouble error={error} />}
      {usage && !usage.groups.length && <p class="empty">No job held or waited for instances in this period.</p>}
      {usage && usage.groups.length > 0 && (
        <>
          <div class="charts">
            {usage.groups.map((group) => (
              <GroupChart key={group.name} usage={usage} group={group} now={now} />
            ))}
          </div>
          <Marks marks={usage.marks} now={now} />
        </>
      )}
    </section>
  );
}

function GroupChart({ usage, group, now }: { usage: Usage; group: UsageGroup; now: number }) {
  const [step, setStep] = useState<number | null>(null);
  const held: Line = {
    name: "held",
    colour: "--running",
    values: lasting(group.held),
    isFilled: true,
    isStepped: true,
  };
  const waiting: Line = { name: "waiting", colour: "--stopping", values: lasting(group.waiting), isStepped: true };
  const limit: Line[] = group.limit
    ? [{ name: "budget", colour: "--ink", values: lasting(group.limit), isDashed: true, isStepped: true }]
    : [];
  const marks: ChartMark[] = marksOf(usage, group).map(({ at, kind }) => ({
    at: Date.parse(at),
    colour: COLOURS[kind],
  }));
  const shown = Math.min(step ?? usage.steps - 1, usage.steps - 1);
  return (
    <figure class="chart-of">
      <figcaption>
        <strong>{group.name}</strong> <span class="quiet">{valuesAt(usage, group, shown, now)}</span>
      </figcaption>
      <Chart
        label={summary(group)}
        times={edges(usage)}
        lines={[held, waiting, ...limit]}
        marks={marks}
        onPoint={setStep}
      />
      <Numbers usage={usage} group={group} now={now} />
    </figure>
  );
}

function Numbers({ usage, group, now }: { usage: Usage; group: UsageGroup; now: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const hasLimit = free(group) !== null;
  return (
    <details class="numbers" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col" class="number">
                Held
              </th>
              {hasLimit && (
                <th scope="col" class="number">
                  Free
                </th>
              )}
              <th scope="col" class="number">
                Waiting
              </th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(usage, group, ROWS).map((row) => (
              <tr key={row.begin}>
                <th scope="row">{clock(row.begin, now)}</th>
                <td class="number">{short(row.held)}</td>
                {row.free !== null && <td class="number">{short(row.free)}</td>}
                <td class="number">{short(row.waiting)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}

function Marks({ marks, now }: { marks: readonly Mark[]; now: number }) {
  const latest = [...marks].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (!latest.length) return <p class="nothing quiet">No preemption and no budget change in this period.</p>;
  const left = latest.length - LISTED;
  return (
    <>
      <ul class="marks" aria-label="Preemptions and budget changes">
        {latest.slice(0, LISTED).map((mark) => (
          <li key={`${mark.at} ${mark.kind} ${mark.job}`}>
            <span class={`swatch mark-${mark.kind}`} aria-hidden="true" />
            <time class="quiet">{clock(mark.at, now)}</time> {mark.kind === "budget" ? "budget: " : ""}
            {mark.job ? (
              <a class="link" href={linkTo(mark.job)}>
                {said(mark)}
              </a>
            ) : (
              said(mark)
            )}
          </li>
        ))}
      </ul>
      {left > 0 && <p class="nothing quiet">{plural(left, "earlier one")} not listed.</p>}
    </>
  );
}

function Legend({ hasLimit }: { hasLimit: boolean }) {
  const entries = [
    ["chart-held", "held"],
    ["chart-waiting", "waiting"],
    ...(hasLimit ? [["chart-limit", "budget"]] : []),
    ["mark-preemption", "preemption"],
    ["mark-budget", "budget change"],
  ];
  return (
    <span class="chart-legend quiet">
      {entries.map(([look, label]) => (
        <span key={label}>
          <span class={`swatch ${look}`} aria-hidden="true" /> {label}
        </span>
      ))}
    </span>
  );
}

interface ChoiceProps {
  label: string;
  options: Record<string, string>;
  value: string;
  onChange: (value: string) => void;
}

function Choice({ label, options, value, onChange }: ChoiceProps) {
  return (
    <label class="quiet">
      {label}{" "}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(options).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The value of the last step holds until its end. */
function lasting(values: readonly number[]): number[] {
  return [...values, values.at(-1) ?? 0];
}

function oneOf(options: Record<string, string>, wanted: string | null): string {
  return wanted && wanted in options ? wanted : (Object.keys(options)[0] as string);
}
