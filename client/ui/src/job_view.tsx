// One job: the reason for its state, its attempts, the actions on it, and its log.

import { useState } from "preact/hooks";
import { type Acting, ActionBar, useActing } from "./acting.tsx";
import { maySubmit, needsApproval, type Verb } from "./actions.ts";
import { Alternatives } from "./alternatives.tsx";
import { StateMark } from "./columns.tsx";
import { ComparisonSection } from "./comparison_section.tsx";
import type { Action, Explanation, Job, Violation } from "./contract.ts";
import { Fact } from "./fact.tsx";
import { useNow } from "./freshness.ts";
import { JobCosts } from "./job_cost.tsx";
import { Lineage } from "./lineage.tsx";
import { linksOf, tensorBoardFolder } from "./links.ts";
import { LogTail } from "./log_tail.tsx";
import { MetricsSection } from "./metrics_section.tsx";
import { withNames } from "./names.ts";
import { usePolled } from "./polling.ts";
import { linkTo, linkToCopy } from "./route.ts";
import { ofJob, read } from "./server.ts";
import { useTitle } from "./title.ts";
import { TrialsSection } from "./trials_section.tsx";
import { Trouble } from "./trouble.tsx";
import { UpdateDialog } from "./update_dialog.tsx";
import { clock, instances, person, saves, since, span, start, why } from "./words.ts";

const VERBS: readonly Verb[] = ["top", "priority", "hold", "release", "requeue", "cancel"];
/** The headings of the reason of a job that has ended; other jobs are in their state. */
const ENDED: Record<string, string> = { failed: "Why it failed", stopped: "Why it was stopped", completed: "Result" };

interface Seen {
  job: Job;
  explanation: Explanation;
}

export function JobView({ name, acting }: { name: string; acting: Acting }) {
  const now = useNow();
  const seen = usePolled(() => seeJob(name), name);
  const changing: Acting = {
    ...acting,
    look: () => {
      seen.look();
      acting.look();
    },
  };
  const { ask, dialog, busy } = useActing(changing);
  const [isChanging, setIsChanging] = useState(false);
  useTitle(seen.value ? `${name}: ${seen.value.job.state}` : name);
  if (!seen.value) return seen.error ? <Trouble error={seen.error} /> : <p class="empty">Loading {name} …</p>;
  const { job, explanation } = seen.value;
  return (
    <>
      {seen.error && <Trouble error={seen.error} />}
      <header class="job-head">
        <h1>{job.name}</h1>
        <StateMark job={job} />
        <span class="grow" />
        {maySubmit(acting.me) && (
          <a class="link" href={linkToCopy(job.name)}>
            Submit again…
          </a>
        )}
        {job.may_control && !ENDED[job.state] && (
          <button type="button" onClick={() => setIsChanging(true)}>
            Change…
          </button>
        )}
        <ActionBar
          jobs={[job]}
          me={acting.me}
          verbs={needsApproval(job) ? ["approve", ...VERBS] : VERBS}
          busy={busy}
          onAct={ask}
        />
      </header>
      <div class="columns">
        <section aria-labelledby="why-title">
          <header class="section-head">
            <h2 id="why-title">{ENDED[job.state] ?? `Why it is ${job.state}`}</h2>
          </header>
          <Why job={job} explanation={explanation} now={now} />
        </section>
        <section aria-labelledby="facts-title">
          <header class="section-head">
            <h2 id="facts-title">Request</h2>
          </header>
          <Facts job={job} now={now} />
        </section>
        <JobCosts job={job} />
      </div>
      {job.choices.length > 0 && <Alternatives job={job} />}
      <Lineage job={job} now={now} />
      {job.attempts.length > 0 &&
        (job.tuning ? (
          <TrialsSection key={`trials ${job.name}`} job={job} now={now} />
        ) : (
          <MetricsSection key={`metrics ${job.name}`} job={job} now={now} />
        ))}
      <ComparisonSection key={`compare ${job.name}`} job={job} now={now} />
      <Decisions actions={job.actions ?? []} now={now} />
      {job.attempts.length > 0 && <LogTail key={job.name} job={job} now={now} />}
      {job.request && <Request request={job.request} />}
      {dialog}
      {isChanging && <UpdateDialog job={job} acting={changing} onClose={() => setIsChanging(false)} />}
    </>
  );
}

async function seeJob(name: string): Promise<Seen> {
  const [job, explanation] = await Promise.all([read<Job>(ofJob(name)), read<Explanation>(ofJob(name, "why"))]);
  return { job, explanation };
}

function Why({ job, explanation, now }: { job: Job; explanation: Explanation; now: number }) {
  const parts = explanation.priority;
  const isWaiting = explanation.position !== null;
  return (
    <>
      <p class="lead">{isWaiting ? withNames(explanation.reason.message) : why(job, now)}</p>
      <dl class="facts">
        {explanation.position !== null && <Fact name="position">{explanation.position}</Fact>}
        {explanation.waits_for.length > 0 && (
          <Fact name="waits for">
            {explanation.waits_for.map((other) => (
              <a key={other} class="link" href={linkTo(other)}>
                {other}{" "}
              </a>
            ))}
          </Fact>
        )}
        {explanation.starts && <Fact name="may start">{start(explanation.starts, now)}</Fact>}
        {parts && (
          <Fact name="priority factors">
            <ol class="parts">
              <Part holds={parts.is_reserved_for}>reserved: other jobs were stopped for it</Part>
              <Part holds={parts.is_long_waiting}>long-waiting: a share of the budget is reserved for it</Part>
              <Part holds={parts.is_below_quota}>its team is below its quota</Part>
              <li class="holds">priority {parts.priority}</li>
              {parts.owner_weighted_seconds !== null && (
                <li>
                  its owner used {(parts.owner_weighted_seconds / 3600).toFixed(1)} weighted hours recently; the owner
                  with the least is next
                </li>
              )}
              {parts.expected_run_time !== null && (
                <li>expected to run {span(parts.expected_run_time * 1000)}; shorter jobs start first</li>
              )}
              <li class="holds">waiting for {since(job.submitted_at, now)}</li>
            </ol>
          </Fact>
        )}
      </dl>
      {job.warnings.length > 0 && <Warnings warnings={job.warnings} />}
    </>
  );
}

/** A priority factor, in the order in which they decide; grey if it does not hold. */
function Part({ holds, children }: { holds: boolean; children: string }) {
  return (
    <li class={holds ? "holds" : ""}>
      {children}
      {holds ? "" : ": no"}
    </li>
  );
}

export function Warnings({ warnings }: { warnings: readonly Violation[] }) {
  return (
    <ul class="warnings">
      {warnings.map((one) => (
        <li key={one.rule + one.field}>
          <strong>{one.rule}</strong> {one.message} <span class="quiet">{one.remedy}</span>
        </li>
      ))}
    </ul>
  );
}

/** Returns the jobs for which the job waits or waited, by what they have to do first. */
function predecessors(job: Job): string[] {
  const { after_ok, after_any, after_not_ok } = job.options;
  const kinds: [string[], string][] = [
    [after_ok, "completed"],
    [after_any, "ended"],
    [after_not_ok, "failed or stopped"],
  ];
  return kinds.filter(([names]) => names?.length).map(([names, ending]) => `${names.join(", ")} ${ending}`);
}

function Facts({ job, now }: { job: Job; now: number }) {
  const [links, folder] = [linksOf(job.request), tensorBoardFolder(job.request)];
  return (
    <dl class="facts">
      <Fact name="priority">{job.priority}</Fact>
      <Fact name="instances">{instances(job)}</Fact>
      <Fact name="owner">
        <span title={job.owner}>{person(job.owner)}</span>
        {job.team ? `, team ${job.team}${job.options.team === job.team ? " (chosen)" : ""}` : ""}
      </Fact>
      <Fact name="submitted">
        {clock(job.submitted_at, now)}, {since(job.submitted_at, now)} ago
      </Fact>
      <Fact name="time limit">{span(job.max_runtime * 1000)}</Fact>
      <Fact name="checkpoints">{checkpoints(job)}</Fact>
      {saves(job, now) && <Fact name="saves">{saves(job, now)}</Fact>}
      {job.preemptions > 0 && <Fact name="preempted">{job.preemptions} ×</Fact>}
      {job.options.never_preempt && <Fact name="preemption">never</Fact>}
      {predecessors(job).length > 0 && <Fact name="after">{predecessors(job).join("; ")}</Fact>}
      {job.not_before && <Fact name="not before">{clock(job.not_before, now)}</Fact>}
      {links.length > 0 && (
        <Fact name="links">
          {links.map((link) => (
            <a key={link.address} class="link" href={link.address} target="_blank" rel="noopener noreferrer">
              {link.name}{" "}
            </a>
          ))}
        </Fact>
      )}
      {folder && (
        <Fact name="TensorBoard">
          <code>tensorboard --logdir {folder}</code>
        </Fact>
      )}
    </dl>
  );
}

function checkpoints(job: Job): string {
  if (!job.has_checkpoints) return "none: a stopped attempt restarts from the beginning";
  const every = job.options.checkpoint_interval;
  return every ? `every ${span(every * 1000)}` : "yes";
}

function Decisions({ actions, now }: { actions: readonly Action[]; now: number }) {
  return (
    <section aria-labelledby="decisions-title">
      <header class="section-head">
        <h2 id="decisions-title">Activity</h2>
      </header>
      {actions.length ? (
        <table class="cards">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Action</th>
              <th scope="col">By</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {[...actions].reverse().map((action) => (
              <tr key={action.at + action.kind}>
                <td class="quiet">{clock(action.at, now)}</td>
                <td>{action.kind.replaceAll("_", " ")}</td>
                <td data-label="by" title={action.by}>
                  {person(action.by)}
                </td>
                <td class="wraps">{action.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p class="nothing quiet">None yet.</p>
      )}
    </section>
  );
}

function Request({ request }: { request: Record<string, unknown> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section>
      <details class="request" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <h2>Submitted request</h2>
        </summary>
        {isOpen && <pre>{JSON.stringify(request, null, 2)}</pre>}
      </details>
    </section>
  );
}
