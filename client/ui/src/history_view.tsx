// The history view: waiting times, use of instance time, and costs of ended attempts.

import { useState } from "preact/hooks";
import type { Listing, Report } from "./contract.ts";
import { EndedJobs } from "./ended_jobs.tsx";
import { useNow } from "./freshness.ts";
import { useOnce } from "./once.ts";
import { useQuery } from "./route.ts";
import { read, refusalOf } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { UsageCharts } from "./usage_charts.tsx";
import { UseGroups, Uses } from "./uses.tsx";
import { clock } from "./words.ts";

const DAY = 86_400_000;
const PERIODS: Record<string, (now: Date) => Date> = {
  "the last 7 days": (now) => new Date(now.getTime() - 7 * DAY),
  "the last 30 days": (now) => new Date(now.getTime() - 30 * DAY),
  "this month": (now) => new Date(now.getFullYear(), now.getMonth(), 1),
};
const BY: Record<string, string> = { type: "instance type" };

interface Read {
  /** Null at the hosted page, which has no server that adds up the history. */
  report: Report | null;
  ended: Listing;
  since: Date;
}

export function HistoryView() {
  const now = useNow(10_000);
  const [query, setQuery] = useQuery();
  const wanted = query.get("period") ?? "";
  const period = wanted in PERIODS ? wanted : "the last 7 days";
  const by = query.get("by") ?? "owner";
  const [looks, setLooks] = useState(0);
  const since = PERIODS[period] as (now: Date) => Date;
  const { value, error } = useOnce(() => readSince(since(new Date())), `${period} ${looks}`);
  return (
    <>
      <h1 class="unseen">History</h1>
      {error && <Trouble error={error} />}
      <UsageCharts now={now} looks={looks} />
      <section aria-labelledby="use-title">
        <header class="section-head">
          <h2 id="use-title">Use of instance time</h2>
          <label>
            <span class="unseen">Period</span>
            <select value={period} onChange={(event) => setQuery({ period: event.currentTarget.value })}>
              {Object.keys(PERIODS).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <span class="quiet" aria-live="polite">
            {value && `of attempts that ended since ${clock(value.since.getTime(), now)}`}
            {!value && !error && "Loading the history …"}
          </span>
          <span class="grow" />
          <button type="button" onClick={() => setLooks(looks + 1)}>
            Refresh
          </button>
        </header>
        {value?.report && <Told report={value.report} />}
      </section>
      {value?.report && value.report.total.runs > 0 && (
        <section aria-labelledby="by-title">
          <header class="section-head">
            <h2 id="by-title">By group</h2>
            <label>
              <span class="unseen">Group by</span>
              <select value={by} onChange={(event) => setQuery({ by: event.currentTarget.value })}>
                {Object.keys(value.report.groups).map((one) => (
                  <option key={one} value={one}>
                    {named(one)}
                  </option>
                ))}
              </select>
            </label>
          </header>
          <UseGroups groups={value.report.groups[by] ?? {}} by={by} label={named(by)} />
        </section>
      )}
      {value && <EndedJobs jobs={value.ended.jobs} now={now} />}
    </>
  );
}

function Told({ report }: { report: Report }) {
  return (
    <>
      {report.total.runs ? <Uses total={report.total} /> : <p class="empty">No attempt ended in this period.</p>}
      {report.notes.map((note) => (
        <p key={note} class="nothing caution">
          {note}
        </p>
      ))}
    </>
  );
}

async function readSince(since: Date): Promise<Read> {
  const [report, ended] = await Promise.all([
    read<Report>("report", { since: since.toISOString() }).catch(nullIfOnlyLocal),
    read<Listing>("jobs", { state: "completed,failed,stopped" }),
  ]);
  return { report, ended, since };
}

function nullIfOnlyLocal(cause: unknown): null {
  if (refusalOf(cause).code === "only_local") return null; // the charts above say so
  throw cause;
}

function named(by: string): string {
  return by.startsWith("tag:") ? `tag ${by.slice("tag:".length)}` : (BY[by] ?? by);
}
