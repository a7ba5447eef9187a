// The monthly spending limits: their use, the forecast, and the jobs that wait because of them.

import type { Listing, Spending, SpendingMonth, SpendingUse } from "./contract.ts";
import { useNow } from "./freshness.ts";
import { dollars } from "./money.ts";
import { usePolled } from "./polling.ts";
import { linkTo } from "./route.ts";
import { SectionLink } from "./section_link.tsx";
import { read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { clock, person, since, why } from "./words.ts";

export function SpendingView() {
  const now = useNow(10_000);
  const spending = usePolled(() => read<Spending>("spending"), "spending");
  const waiting = usePolled(() => read<Listing>("jobs", { state: "pending,preempted" }), "waiting");
  const errors = [spending.error, waiting.error].filter((error) => error !== null);
  const held = waiting.value?.jobs.filter((job) => job.reason.code === "spending_limit") ?? [];
  return (
    <>
      <h1 class="unseen">Spending</h1>
      {errors[0] && <Trouble error={errors[0]} />}
      <section aria-labelledby="limits-title">
        <header class="section-head">
          <h2 id="limits-title">Monthly limits</h2>
          {spending.value?.month && <MonthLine month={spending.value.month} now={now} />}
        </header>
        {spending.value ? <Limits spending={spending.value} /> : <p class="empty">Loading …</p>}
      </section>
      <section aria-labelledby="held-title">
        <header class="section-head">
          <h2 id="held-title">Waiting for a limit</h2>
          <span class="quiet">
            {waiting.value?.next
              ? `Among the first ${waiting.value.jobs.length} waiting jobs.`
              : "Jobs that wait for the next month, or for a higher limit."}
          </span>
        </header>
        {waiting.value && <Held jobs={held} now={now} />}
      </section>
    </>
  );
}

function MonthLine({ month, now }: { month: SpendingMonth; now: number }) {
  return (
    <span class="quiet">
      {month.name}, until {clock(month.ends, now)} ({month.time_zone} months)
    </span>
  );
}

function Limits({ spending }: { spending: Spending }) {
  if (!spending.month) {
    return (
      <p class="nothing quiet">
        No spending limits are set. Set them in <SectionLink kind="spending" />.
      </p>
    );
  }
  if (!spending.uses.length) return <p class="nothing quiet">Nothing spent this month.</p>;
  const uses = [...spending.uses].sort((one, other) => share(other) - share(one));
  return (
    <table class="cards wide">
      <thead>
        <tr>
          <th scope="col">Limit</th>
          <th scope="col">Applies to</th>
          <th scope="col">Used, and forecast</th>
          <th scope="col" class="number">
            Used
          </th>
          <th scope="col" class="number">
            Running
          </th>
          <th scope="col" class="number">
            Limit is
          </th>
          <th scope="col" class="number">
            Forecast
          </th>
          <th scope="col">State</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {uses.map((use) => (
          <tr key={`${use.limit} ${use.kind} ${use.scope}`}>
            <th scope="row">{use.limit}</th>
            <td class="clipped" title={use.scope}>
              {use.kind} {use.scope}
            </td>
            <td>
              <Meter use={use} />
            </td>
            <td class="number" data-label="used">
              {amount(use.used, use)}
            </td>
            <td class="number" data-label="running">
              {amount(use.running, use)}
            </td>
            <td class="number" data-label="limit">
              {amount(use.most, use)}
            </td>
            <td class="number" data-label="forecast">
              {amount(use.forecast, use)}
            </td>
            <td>
              <span class={`mode limit-${use.state}`}>{use.state.replaceAll("_", " ")}</span>
            </td>
            <td class="wraps">{use.reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The used share; the mark is the forecast for the end of the month, at the edge if it is beyond the limit. */
function Meter({ use }: { use: SpendingUse }) {
  if (use.used === null) return <span class="quiet">not known</span>;
  const percent = (value: number) => (use.most ? Math.min(100, (value / use.most) * 100) : 100);
  const said = `${amount(use.used, use)} of ${amount(use.most, use)}, ${amount(use.forecast, use)} forecast for the month`;
  return (
    <span class="share">
      <span class="track" role="img" aria-label={said} title={said}>
        <span class={`bar limit-${use.state}`} style={{ left: "0", width: `${percent(use.used)}%` }} />
        {use.forecast !== null && <span class="due" style={{ left: `max(0px, ${percent(use.forecast)}% - 2px)` }} />}
      </span>
      <span class="quiet">{use.most ? Math.round((use.used / use.most) * 100) : 100} %</span>
    </span>
  );
}

function Held({ jobs, now }: { jobs: Listing["jobs"]; now: number }) {
  if (!jobs.length) return <p class="nothing quiet">None.</p>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Owner</th>
          <th scope="col" class="number">
            Age
          </th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.name}>
            <th scope="row">
              <a href={linkTo(job.name)}>{job.name}</a>
            </th>
            <td title={job.owner}>{person(job.owner)}</td>
            <td class="number" data-label="age">
              {since(job.submitted_at, now)}
            </td>
            <td class="wraps">{why(job, now)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An unknown use blocks jobs as a used-up limit does. */
function share(use: SpendingUse): number {
  if (use.used === null || !use.most) return Number.POSITIVE_INFINITY;
  return use.used / use.most;
}

function amount(value: number | null, use: SpendingUse): string {
  if (value === null) return "not known";
  return use.measure === "dollars" ? dollars(value) : `${value.toFixed(1)} GPU h`;
}
