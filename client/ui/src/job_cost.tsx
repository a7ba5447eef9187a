// The cost of a job so far: SageMaker's billed time of its attempts, at the current prices.

import type { Job } from "./contract.ts";
import { Fact } from "./fact.tsx";
import { costText, dollars } from "./money.ts";
import { span } from "./words.ts";

/** Empty for a job that has not started. */
export function JobCosts({ job }: { job: Job }) {
  const { cost } = job;
  if (!cost || !job.attempts.length) return null;
  const billed = job.attempts.flatMap((attempt) => attempt.billable_seconds ?? []);
  const seconds = billed.reduce((sum, one) => sum + one, 0);
  return (
    <section aria-labelledby="cost-title">
      <header class="section-head">
        <h2 id="cost-title">Cost</h2>
        {cost.prices_as_of && <span class="quiet">at prices of {cost.prices_as_of}</span>}
      </header>
      {cost.prices_as_of && <p class="lead">{costText(cost)}</p>}
      <dl class="facts">
        <Fact name="billed">{billed.length ? `${span(seconds * 1000)} of each instance` : "not reported yet"}</Fact>
        {cost.retained_dollars > 0 && <Fact name="warm pools, included">{dollars(cost.retained_dollars)}</Fact>}
        {cost.saved_dollars > 0 && <Fact name="saved by spot">{dollars(cost.saved_dollars)}</Fact>}
        {cost.wasted_dollars_at_most > 0 && (
          <Fact name="wasted at most">{dollars(cost.wasted_dollars_at_most)}, lost to preemptions and failures</Fact>
        )}
        {cost.unknown_types.length > 0 && (
          <Fact name="no known price">
            for {cost.unknown_types.join(", ")}: its attempts are left out (`sagequeue prices`)
          </Fact>
        )}
      </dl>
    </section>
  );
}
