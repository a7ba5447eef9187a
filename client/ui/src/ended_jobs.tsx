// The jobs that ended last, of any age.

import type { Job } from "./contract.ts";
import { linkTo } from "./route.ts";
import { clock, instances, person, why } from "./words.ts";

const SHOWN = 100;

export function EndedJobs({ jobs, now }: { jobs: readonly Job[]; now: number }) {
  if (!jobs.length) return null;
  return (
    <section aria-labelledby="ended-title">
      <header class="section-head">
        <h2 id="ended-title">Recently ended jobs</h2>
      </header>
      <table class="cards wide">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Result</th>
            <th scope="col">Ended</th>
            <th scope="col">Owner</th>
            <th scope="col">Instances</th>
            <th scope="col" class="number">
              Attempts
            </th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {jobs.slice(0, SHOWN).map((job) => (
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
              <td class="number" data-label="attempts">
                {job.earlier_attempts + job.attempts.length}
              </td>
              <td class="wraps">{why(job, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
