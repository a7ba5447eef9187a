// The guardrails view: parked jobs, and jobs started outside the queue that break a rule.

import type { Finding, Listing } from "./contract.ts";
import { useNow } from "./freshness.ts";
import { Warnings } from "./job_view.tsx";
import { usePolled } from "./polling.ts";
import { linkTo } from "./route.ts";
import { SectionLink } from "./section_link.tsx";
import { read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { clock, person, since, why } from "./words.ts";

export function GuardrailsView() {
  const now = useNow(10_000);
  const findings = usePolled(() => read<{ findings: Finding[] }>("findings"), "findings");
  const parked = usePolled(() => read<Listing>("jobs", { state: "parked" }), "parked");
  const errors = [findings.error, parked.error].filter((error) => error !== null);
  return (
    <>
      <h1 class="unseen">Guardrails</h1>
      {errors[0] && <Trouble error={errors[0]} />}
      <section aria-labelledby="parked-title">
        <header class="section-head">
          <h2 id="parked-title">Parked</h2>
          <span class="quiet">
            Jobs that cannot start without a change. The rules are in <SectionLink kind="rules" />.
          </span>
        </header>
        {parked.value ? <Parked jobs={parked.value.jobs} now={now} /> : <p class="empty">Loading …</p>}
      </section>
      <section aria-labelledby="findings-title">
        <header class="section-head">
          <h2 id="findings-title">Started outside the queue</h2>
          <span class="quiet">Jobs that break a rule; kept for 180 days.</span>
        </header>
        {findings.value ? <Findings findings={findings.value.findings} now={now} /> : <p class="empty">Loading …</p>}
      </section>
    </>
  );
}

function Parked({ jobs, now }: { jobs: Listing["jobs"]; now: number }) {
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

function Findings({ findings, now }: { findings: readonly Finding[]; now: number }) {
  if (!findings.length) return <p class="nothing quiet">None.</p>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Training job</th>
          <th scope="col">Created</th>
          <th scope="col">Reaction</th>
          <th scope="col">Broken rules</th>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <tr key={finding.created_at + finding.name}>
            <th scope="row">{finding.name}</th>
            <td class="quiet">{clock(finding.created_at, now)}</td>
            <td>{finding.stopped ? "stopped" : "reported"}</td>
            <td class="wraps">
              <Warnings warnings={finding.violations} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
