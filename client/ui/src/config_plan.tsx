// What a planned configuration would change: sections, jobs, the next cycle, budgets, and your own permissions.

import type { ChangedVerdict, ConfigPlan, Verdict } from "./config_contract.ts";
import { changedDecisions, decided } from "./config_logic.ts";
import { useNow } from "./freshness.ts";
import { Warnings } from "./job_view.tsx";
import { Periods } from "./periods.tsx";
import { linkTo } from "./route.ts";
import { SectionDifferences } from "./section_differences.tsx";
import { plural } from "./words.ts";

export function PlannedChange({ plan }: { plan: ConfigPlan }) {
  const now = useNow(10_000);
  return (
    <div class="planned">
      {plan.warnings.map((warning) => (
        <p key={warning} class="nothing caution">
          {warning}
        </p>
      ))}
      <SectionDifferences differences={plan.differences} />
      <h3>Affected jobs</h3>
      <AffectedJobs plan={plan} />
      <h3>The next cycle</h3>
      <NextCycle plan={plan} />
      {plan.changed.includes("calendar") && (
        <>
          <h3>Budgets from now on</h3>
          <Periods periods={plan.periods} now={now} />
        </>
      )}
      {plan.changed.includes("callers") && (
        <p class="nothing">
          Your permissions would be {plan.you.verbs.join(", ") || "to read only"}, by the entry {plan.you.entry}.
        </p>
      )}
    </div>
  );
}

function AffectedJobs({ plan }: { plan: ConfigPlan }) {
  const more = plan.left_out ? `; ${plan.left_out} more change` : "";
  const checked = `${plural(plan.checked, "waiting or running job")} checked${plan.complete ? "" : ", not all"}${more}`;
  if (!plan.jobs.length) return <p class="nothing quiet">No jobs affected: {checked}.</p>;
  return (
    <>
      <p class="nothing quiet">Rules and permissions judge these jobs differently: {checked}.</p>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">State</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {plan.jobs.map((job) => (
            <AffectedJob key={job.name} job={job} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function AffectedJob({ job }: { job: ChangedVerdict }) {
  return (
    <tr>
      <th scope="row">
        <a href={linkTo(job.name)}>{job.name}</a>
      </th>
      <td>{job.state}</td>
      <td class="wraps">
        <VerdictText verdict={job.before} />
      </td>
      <td class="wraps">
        <VerdictText verdict={job.after} />
      </td>
    </tr>
  );
}

function VerdictText({ verdict }: { verdict: Verdict }) {
  const { violations, warnings } = verdict;
  if (!violations.length && !warnings.length) return <>allowed</>;
  return (
    <>
      {violations.length > 0 ? "refused" : "allowed, with warnings"}
      <Warnings warnings={[...violations, ...warnings]} />
    </>
  );
}

function NextCycle({ plan }: { plan: ConfigPlan }) {
  const changes = changedDecisions(plan.next_cycle);
  if (!changes.length) return <p class="nothing quiet">It would decide the same.</p>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Now</th>
          <th scope="col">Then</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ job, before, after }) => (
          <tr key={job}>
            <th scope="row">
              <a href={linkTo(job)}>{job}</a>
            </th>
            <td>{decided(before)}</td>
            <td>{decided(after)}</td>
            <td class="wraps">{(after.length ? after : before).map((one) => one.reason).join("; ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
