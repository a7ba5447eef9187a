// The use of instance time, in total and by group.

import type { Sums } from "./contract.ts";
import { dollars } from "./money.ts";
import { held, ordered, sum, USES, type Use, uses } from "./waste.ts";
import { person, plural, span } from "./words.ts";

const ALL = Object.entries(USES) as [Use, string][];

export function Uses({ total }: { total: Sums }) {
  const [times, all] = [uses(total), held(total)];
  return (
    <div class="uses">
      <UseBar sums={total} />
      <dl class="use-list">
        {ALL.map(([use, label]) => (
          <div key={use} class={times[use] ? "" : "none"}>
            <dt>
              <span class={`swatch use-${use}`} aria-hidden="true" />
              {label}
            </dt>
            <dd>
              {times[use] ? span(times[use]) : "none"}{" "}
              <span class="quiet">{times[use] > 0 && share(times[use], all)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        {plural(total.runs, "attempt")} of {plural(total.jobs, "job")} cost {sum(dollars(total.cost_dollars), total)},
        of which at most {sum(dollars(total.wasted_at_most_dollars), total)} were lost to preemptions and failures. Spot
        saved {sum(dollars(total.saved_dollars), total)}. They waited {span((total.waited_seconds / total.runs) * 1000)}{" "}
        on average, and {span(total.longest_wait_seconds * 1000)} at most.
      </p>
    </div>
  );
}

export function UseGroups({ groups, by, label }: { groups: Record<string, Sums>; by: string; label: string }) {
  return (
    <table class="cards wide groups">
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col" class="number">
            Jobs
          </th>
          <th scope="col" class="number">
            Attempts
          </th>
          <th scope="col" class="number">
            Waited
          </th>
          <th scope="col" class="number">
            At most
          </th>
          <th scope="col" class="number">
            Instance time
          </th>
          <th scope="col">Use</th>
          <th scope="col" class="number">
            Cost
          </th>
          <th scope="col" class="number">
            Saved
          </th>
          <th scope="col" class="number">
            Waste ≤
          </th>
        </tr>
      </thead>
      <tbody>
        {ordered(groups, by).map(([name, sums]) => (
          <tr key={name}>
            <th scope="row" title={name}>
              {by === "owner" ? person(name) : name}
            </th>
            <td class="number" data-label="jobs">
              {sums.jobs}
            </td>
            <td class="number" data-label="attempts">
              {sums.runs}
            </td>
            <td class="number" data-label="waited">
              {span((sums.waited_seconds / sums.runs) * 1000)}
            </td>
            <td class="number" data-label="at most">
              {span(sums.longest_wait_seconds * 1000)}
            </td>
            <td class="number" data-label="instance time">
              {span(held(sums))}
            </td>
            <td>{held(sums) > 0 && <UseBar sums={sums} />}</td>
            <td class="number" data-label="cost">
              {sum(dollars(sums.cost_dollars), sums)}
            </td>
            <td class="number" data-label="saved">
              {sum(dollars(sums.saved_dollars), sums)}
            </td>
            <td class="number" data-label="waste ≤">
              {sum(dollars(sums.wasted_at_most_dollars), sums)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function UseBar({ sums }: { sums: Sums }) {
  const [times, all] = [uses(sums), held(sums)];
  const parts = ALL.filter(([use]) => times[use]);
  const said = parts.map(([use, label]) => `${label} ${share(times[use], all)}`).join(", ");
  return (
    <span class="use-bar" role="img" aria-label={said} title={said}>
      {parts.map(([use]) => (
        <span key={use} class={`use-${use}`} style={{ width: `${(times[use] / all) * 100}%` }} />
      ))}
    </span>
  );
}

function share(part: number, all: number): string {
  return all ? `${Math.round((part / all) * 100)} %` : "";
}
