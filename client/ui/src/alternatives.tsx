// The ways in which a job with alternatives may run, and the one that it runs on or would take next.

import { ENDED, type Job, LIVE } from "./contract.ts";
import { span, told } from "./words.ts";

export function Alternatives({ job }: { job: Job }) {
  return (
    <section aria-labelledby="alternatives-title">
      <header class="section-head">
        <h2 id="alternatives-title">Alternatives</h2>
        <span class="quiet">The job runs on the first of them that is possible.</span>
      </header>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Choice</th>
            <th scope="col">Instances</th>
            <th scope="col">Purchase</th>
            <th scope="col">Time limit</th>
            <th scope="col">Waits for better ones</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {job.choices.map((choice, index) => (
            <tr key={`${told(choice.instances)} ${choice.spot}`} class={index === job.choice ? "selected" : ""}>
              <th scope="row">{index ? `alternative ${index}` : "request"}</th>
              <td>{told(choice.instances)}</td>
              <td data-label="purchase">{choice.spot ? "spot" : "on demand"}</td>
              <td data-label="time limit">{span(choice.max_runtime * 1000)}</td>
              <td data-label="waits for better ones">
                {choice.wait_for_better ? span(choice.wait_for_better * 1000) : "no"}
              </td>
              <td>{index === job.choice && job.attempts.length > 0 && chosen(job)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function chosen(job: Job): string {
  if (LIVE.has(job.state)) return "runs on it";
  return ENDED.has(job.state) ? "ran on it" : "ran on it last";
}
