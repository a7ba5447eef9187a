// The budgets of the coming weeks, by the calendar.

import type { Period } from "./contract.ts";
import { WeekStrip } from "./week_strip.tsx";
import { clock, told } from "./words.ts";

/** The number of shown budget changes. */
const SHOWN = 20;

export function Periods({ periods, now }: { periods: readonly Period[]; now: number }) {
  if (periods.length < 2) return <p class="nothing quiet">The budget does not change in the coming weeks.</p>;
  return (
    <>
      <WeekStrip periods={periods} now={now} />
      <PeriodTable periods={periods} now={now} />
    </>
  );
}

function PeriodTable({ periods, now }: { periods: readonly Period[]; now: number }) {
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Budget</th>
          <th scope="col">Windows</th>
          <th scope="col">Jobs over budget</th>
        </tr>
      </thead>
      <tbody>
        {periods.slice(0, SHOWN).map((period, number) => (
          <tr key={period.begins}>
            <th scope="row">{number ? clock(period.begins, now) : "now"}</th>
            <td class="wraps">{told(period.budget)}</td>
            <td class="wraps">{period.windows.join(", ") || <span class="quiet">none</span>}</td>
            <td data-label="over budget">
              {[...new Set(Object.values(period.excess))].map((one) => one.replaceAll("_", " ")).join(", ")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
