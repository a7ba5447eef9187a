// The capacity view: the budget now and in the coming weeks, shortages at SageMaker, and warm pools.

import type { Budget, Pool, Queue, Shortage } from "./contract.ts";
import { useNow } from "./freshness.ts";
import { Periods } from "./periods.tsx";
import { usePolled } from "./polling.ts";
import { linkTo } from "./route.ts";
import { read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { clock, person, since, span, told } from "./words.ts";

export function CapacityView({ queue }: { queue: Queue | null }) {
  const now = useNow(10_000);
  const budget = usePolled(() => read<Budget>("budget"), "budget");
  const pools = usePolled(() => read<{ pools: Pool[] }>("pools"), "pools");
  const errors = [budget.error, pools.error].filter((error) => error !== null);
  return (
    <>
      <h1 class="unseen">Capacity</h1>
      {errors[0] && <Trouble error={errors[0]} />}
      <section aria-labelledby="budget-title">
        <header class="section-head">
          <h2 id="budget-title">Budget</h2>
          <span class="quiet">The instances that the queue may use, and their use.</span>
          {budget.value?.changed_by && <LastChange budget={budget.value} now={now} />}
        </header>
        {queue ? <BudgetLines queue={queue} /> : <p class="empty">Loading …</p>}
      </section>
      <section aria-labelledby="calendar-title">
        <header class="section-head">
          <h2 id="calendar-title">Calendar</h2>
          {budget.value?.calendar_rests && <span class="quiet">On hold: an operator has set a budget.</span>}
        </header>
        {budget.value && <Periods periods={budget.value.periods} now={now} />}
      </section>
      <section aria-labelledby="shortages-title">
        <header class="section-head">
          <h2 id="shortages-title">Capacity shortages</h2>
          <span class="quiet">One job at a time retries; the other jobs wait.</span>
        </header>
        <Shortages shortages={queue?.shortages ?? []} now={now} />
      </section>
      <section aria-labelledby="pools-title">
        <header class="section-head">
          <h2 id="pools-title">Warm pools</h2>
          <span class="quiet">
            Instances that SageMaker keeps after a job. They count against the budget, and are billed.
          </span>
        </header>
        {pools.value && <Pools pools={pools.value.pools} now={now} />}
      </section>
    </>
  );
}

/** The queue records one change for both. */
function LastChange({ budget, now }: { budget: Budget; now: number }) {
  return (
    <span class="quiet">
      Budget or intake last changed by <span title={budget.changed_by ?? ""}>{person(budget.changed_by ?? "")}</span>
      {budget.changed_at && ` at ${clock(budget.changed_at, now)}`}.
    </span>
  );
}

function BudgetLines({ queue }: { queue: Queue }) {
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Instance type</th>
          <th scope="col" class="number">
            Budget
          </th>
          <th scope="col" class="number">
            Held
          </th>
          <th scope="col" class="number">
            Free
          </th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(queue.budget).map(([kind, line]) => (
          <tr key={kind}>
            <th scope="row">{kind}</th>
            <td class="number" data-label="budget">
              {line.limit}
            </td>
            <td class="number" data-label="held">
              {line.held}
            </td>
            <td class="number" data-label="free">
              {line.free}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Shortages({ shortages, now }: { shortages: readonly Shortage[]; now: number }) {
  if (!shortages.length) return <p class="nothing quiet">No known shortages.</p>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Instance type</th>
          <th scope="col">Subnet</th>
          <th scope="col" class="number">
            Failures
          </th>
          <th scope="col">Last failure</th>
          <th scope="col">Next try</th>
        </tr>
      </thead>
      <tbody>
        {shortages.map((one) => (
          <tr key={`${one.instance_type} ${one.spot} ${one.subnet}`}>
            <th scope="row">
              {one.instance_type}
              {one.spot && ", spot"}
            </th>
            <td data-label="subnet">{one.subnet ?? "any"}</td>
            <td class="number" data-label="failures">
              {one.failures}
            </td>
            <td class="quiet" data-label="failed">
              {clock(one.failed_at, now)}
            </td>
            <td data-label="next try">{clock(one.next_try_at, now)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Pools({ pools, now }: { pools: readonly Pool[]; now: number }) {
  if (!pools.length) return <p class="nothing quiet">None.</p>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">Instances</th>
          <th scope="col" class="number">
            Age
          </th>
          <th scope="col" class="number">
            Ends in
          </th>
          <th scope="col" class="number">
            Cost
          </th>
          <th scope="col">Jobs that fit</th>
        </tr>
      </thead>
      <tbody>
        {pools.map((pool) => (
          <tr key={pool.name}>
            <th scope="row">
              <a href={linkTo(pool.job)}>{pool.name}</a>
            </th>
            <td>{told(pool.instances)}</td>
            <td class="number" data-label="age">
              {pool.since && since(pool.since, now)}
            </td>
            <td class="number" data-label="ends in">
              {pool.until && span(Date.parse(pool.until) - now)}
            </td>
            <td class="number" data-label="cost">
              {pool.cost === null ? "no known price" : `$${pool.cost.toFixed(2)}`}
            </td>
            <td class="wraps">{pool.lent_to ? `used by ${pool.lent_to}` : pool.fits.join(", ") || "none"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
