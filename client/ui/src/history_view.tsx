// What ended: how long it waited, and what the instances' time went into.

import { useEffect, useState } from "preact/hooks";
import type { Job, Listing } from "./contract.ts";
import { useNow } from "./polling.ts";
import { linkTo } from "./route.ts";
import { Refusal, read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { type Account, account, accountsBy, quantile, USES, type Use } from "./waste.ts";
import { clock, instances, person, plural, span, why } from "./words.ts";

const SHOWN = 100;
const BY = {
  owner: (job: Job) => person(job.owner),
  team: (job: Job) => job.team ?? "no team",
  "instance type": (job: Job) => Object.keys(job.instances).join(", "),
  day: (job: Job) => new Date(job.updated_at).toLocaleDateString("en-CA"),
};
type Key = keyof typeof BY;

export function HistoryView() {
  const now = useNow(10_000);
  const [pages, setPages] = useState<Listing[]>([]);
  const [error, setError] = useState<Refusal | null>(null);
  const [by, setBy] = useState<Key>("owner");

  function readOn(known: Listing[]): void {
    const next = known.at(-1)?.next ?? null;
    read<Listing>("jobs", { state: "completed,failed,stopped", next }).then(
      (page) => setPages([...known, page]),
      (cause) => setError(cause instanceof Refusal ? cause : new Refusal("unexpected", String(cause), "")),
    );
  }
  useEffect(() => readOn([]), []);

  const jobs = pages.flatMap((page) => page.jobs);
  const hasMore = Boolean(pages.at(-1)?.next);
  if (!pages.length) return error ? <Trouble error={error} /> : <p class="empty">Looking …</p>;
  return (
    <>
      <h1 class="unseen">History</h1>
      {error && <Trouble error={error} />}
      <section aria-labelledby="use-title">
        <header class="section-head">
          <h2 id="use-title">Where the time went</h2>
          <span class="quiet">
            of the newest {plural(jobs.length, "job")} that ended
            {jobs.length > 0 && `, submitted since ${clock(jobs.at(-1)?.submitted_at ?? "", now)}`}
          </span>
          <span class="grow" />
          {hasMore && (
            <button type="button" onClick={() => readOn(pages)}>
              Look further back
            </button>
          )}
        </header>
        {jobs.length ? <Uses all={account(jobs)} /> : <p class="empty">No job has ended yet.</p>}
      </section>
      {jobs.length > 0 && (
        <section aria-labelledby="by-title">
          <header class="section-head">
            <h2 id="by-title">By</h2>
            <label>
              <span class="unseen">Group by</span>
              <select value={by} onChange={(event) => setBy(event.currentTarget.value as Key)}>
                {Object.keys(BY).map((key) => (
                  <option key={key}>{key}</option>
                ))}
              </select>
            </label>
          </header>
          <Groups groups={accountsBy(jobs, BY[by])} by={by} />
        </section>
      )}
      {jobs.length > 0 && <Ended jobs={jobs.slice(0, SHOWN)} now={now} />}
    </>
  );
}

function Uses({ all }: { all: Account }) {
  const uses = Object.entries(USES) as [Use, string][];
  return (
    <div class="uses">
      <UseBar account={all} />
      <dl class="use-list">
        {uses.map(([use, label]) => (
          <div key={use} class={all.uses[use] ? "" : "none"}>
            <dt>
              <span class={`swatch use-${use}`} aria-hidden="true" />
              {label}
            </dt>
            <dd>
              {all.uses[use] ? span(all.uses[use]) : "none"}{" "}
              <span class="quiet">{all.uses[use] > 0 && share(all.uses[use], all.all)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        Half of the jobs that started waited no longer than {span(quantile(all.waits, 0.5))}, nine of ten no longer than{" "}
        {span(quantile(all.waits, 0.9))}. What is preempted with checkpoints goes on from the last one: only what came
        after it is lost. Warm pools are not counted here.
      </p>
    </div>
  );
}

function UseBar({ account: { uses, all } }: { account: Account }) {
  const parts = (Object.keys(USES) as Use[]).filter((use) => uses[use]);
  const said = parts.map((use) => `${USES[use]} ${share(uses[use], all)}`).join(", ");
  return (
    <span class="use-bar" role="img" aria-label={said} title={said}>
      {parts.map((use) => (
        <span key={use} class={`use-${use}`} style={{ width: `${(uses[use] / all) * 100}%` }} />
      ))}
    </span>
  );
}

function Groups({ groups, by }: { groups: [string, Account][]; by: Key }) {
  return (
    <table class="groups">
      <thead>
        <tr>
          <th scope="col">{by}</th>
          <th scope="col" class="number">
            Jobs
          </th>
          <th scope="col" class="number">
            Instance time
          </th>
          <th scope="col">What it went into</th>
          <th scope="col" class="number">
            Median wait
          </th>
          <th scope="col" class="number">
            Longest wait
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(([name, one]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{one.jobs}</td>
            <td class="number">{span(one.all)}</td>
            <td>{one.all > 0 && <UseBar account={one} />}</td>
            <td class="number">{span(quantile(one.waits, 0.5))}</td>
            <td class="number">{span(quantile(one.waits, 1))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Ended({ jobs, now }: { jobs: readonly Job[]; now: number }) {
  return (
    <section aria-labelledby="ended-title">
      <header class="section-head">
        <h2 id="ended-title">The newest of them</h2>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Ended as</th>
            <th scope="col">When</th>
            <th scope="col">Owner</th>
            <th scope="col">Instances</th>
            <th scope="col" class="number">
              Attempts
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
              <td>
                <span class={`state ${job.state}`}>{job.state}</span>
              </td>
              <td class="quiet">{clock(job.updated_at, now)}</td>
              <td title={job.owner}>{person(job.owner)}</td>
              <td>{instances(job)}</td>
              <td class="number">{job.attempts.length}</td>
              <td class="clipped" title={job.reason.message}>
                {why(job)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function share(part: number, all: number): string {
  return all ? `${Math.round((part / all) * 100)} %` : "";
}
