// A job's attempts, one below the other, on one axis from its submission to now.

import type { Attempt, Job } from "./contract.ts";
import { costText } from "./money.ts";
import { linkTo } from "./route.ts";
import { clock, span } from "./words.ts";

export function Lineage({ job, now }: { job: Job; now: number }) {
  const from = Date.parse(job.submitted_at);
  const until = Math.max(from + 1000, job.attempts.some(isLive) ? now : lastMoment(job, now));
  return (
    <section aria-labelledby="lineage-title">
      <header class="section-head">
        <h2 id="lineage-title">Attempts</h2>
        <span class="quiet">
          waited {span(waited(job, now))}, held instances {span(held(job, now))}
        </span>
      </header>
      {job.attempts.length ? (
        <table class="cards wide lineage">
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">Result</th>
              <th scope="col" class="number">
                Held for
              </th>
              <th scope="col" class="number">
                Billed
              </th>
              <th scope="col" class="number">
                Cost
              </th>
              <th scope="col" class="axis">
                Since submission
              </th>
              <th scope="col">Details</th>
            </tr>
          </thead>
          <tbody>
            {job.attempts.map((attempt) => (
              <Row key={attempt.name} attempt={attempt} job={job} now={now} from={from} until={until} />
            ))}
          </tbody>
        </table>
      ) : (
        <p class="empty">No attempts yet.</p>
      )}
    </section>
  );
}

function Row(props: { attempt: Attempt; job: Job; now: number; from: number; until: number }) {
  const { attempt, job, now, from, until } = props;
  const [start, end] = [Date.parse(attempt.reserved_at), endOf(attempt, now)];
  const left = ((start - from) / (until - from)) * 100;
  const width = ((end - start) / (until - from)) * 100;
  const kind = isLive(attempt) ? job.state : `ended ${attempt.outcome}`;
  return (
    <tr>
      <th scope="row" title={`Training job ${attempt.name} in SageMaker`}>
        {attempt.name}
      </th>
      <td>{attempt.outcome?.replaceAll("_", " ") ?? job.state}</td>
      <td class="number" data-label="held for">
        {span(end - start)}
      </td>
      <td class="number" data-label="billed">
        {attempt.billable_seconds != null && span(attempt.billable_seconds * 1000)}
      </td>
      <td class="number" data-label="cost">
        {attempt.cost !== undefined && costText(attempt.cost)}
      </td>
      <td class="axis">
        <span class="track">
          <span
            class={`bar ${kind}`}
            title={`${clock(start, now)} to ${isLive(attempt) ? "now" : clock(end, now)}`}
            style={{ left: `${left}%`, width: `max(3px, ${width}%)` }}
          />
        </span>
      </td>
      <td class="wraps">
        <Happened attempt={attempt} />
      </td>
    </tr>
  );
}

function Happened({ attempt }: { attempt: Attempt }) {
  if (attempt.beneficiary) {
    return (
      <>
        preempted for{" "}
        <a class="link" href={linkTo(attempt.beneficiary)}>
          {attempt.beneficiary}
        </a>
      </>
    );
  }
  const spot = attempt.interruptions ? `, ${attempt.interruptions} × interrupted by spot` : "";
  const treated = [attempt.failure_class?.replaceAll("_", " "), attempt.action].filter(Boolean).join(", ");
  const said = [attempt.failure_reason || attempt.message || attempt.secondary_status, treated && `(${treated})`];
  return <>{said.filter(Boolean).join(" ") + spot}</>;
}

function isLive(attempt: Attempt): boolean {
  return attempt.outcome === null;
}

function endOf(attempt: Attempt, now: number): number {
  return attempt.ended_at ? Date.parse(attempt.ended_at) : now;
}

function lastMoment(job: Job, now: number): number {
  const isOver = ["completed", "failed", "stopped"].includes(job.state);
  const ends = job.attempts.map((attempt) => endOf(attempt, now));
  return isOver && ends.length ? Math.max(...ends) : now;
}

/** Returns the milliseconds in which the job held instances. */
export function held(job: Job, now: number): number {
  return job.attempts.reduce((sum, attempt) => sum + endOf(attempt, now) - Date.parse(attempt.reserved_at), 0);
}

/** Returns the milliseconds in which the job held no instances and had not ended. */
export function waited(job: Job, now: number): number {
  const end = job.attempts.some(isLive) ? now : lastMoment(job, now);
  return Math.max(0, end - Date.parse(job.submitted_at) - held(job, now));
}
