// The budgets of the coming seven days as a strip for each instance type.

import type { Period } from "./contract.ts";
import { midnights, type Segment, type Week, weekOf } from "./week.ts";

const WHEN = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });
const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "short" });

export function WeekStrip({ periods, now }: { periods: readonly Period[]; now: number }) {
  const week = weekOf(periods, now);
  if (![...week.strips.values()].some((strip) => strip.length > 1))
    return <p class="nothing quiet">The budget does not change in the coming seven days.</p>;
  return (
    <div class="week">
      {[...week.strips].map(([kind, strip]) => (
        <div key={kind} class="week-row">
          <span class="week-kind">{kind}</span>
          <Strip kind={kind} strip={strip} week={week} />
        </div>
      ))}
      <div class="week-row" aria-hidden="true">
        <span />
        <div class="week-days">
          {midnights(week).map((moment) => (
            <span key={moment.getTime()} style={{ left: `${share(week, moment.getTime())}%` }}>
              {WEEKDAY.format(moment)}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

function Strip({ kind, strip, week }: { kind: string; strip: readonly Segment[]; week: Week }) {
  const most = Math.max(1, ...strip.map((segment) => segment.instances));
  const told = strip.map(({ from, instances }, number) =>
    number ? `from ${WHEN.format(from)} ${instances}` : `now ${instances}`,
  );
  return (
    <div class="week-field" role="img" aria-label={`Budget of ${kind}: ${told.join(", ")}`}>
      {strip.map((segment) => {
        const left = share(week, segment.from);
        const width = share(week, segment.until) - left;
        return (
          <span
            key={segment.from}
            title={`${segment.instances} from ${WHEN.format(segment.from)}${segment.windows.length ? `: ${segment.windows.join(", ")}` : ""}`}
            class={segment.instances ? "" : "none"}
            style={{
              left: `${left}%`,
              width: `${width}%`,
              background: `color-mix(in srgb, var(--running) ${Math.round((segment.instances / most) * 45)}%, var(--raised))`,
            }}
          >
            <b>{segment.instances}</b>
          </span>
        );
      })}
    </div>
  );
}

function share(week: Week, moment: number): number {
  return ((moment - week.from) / (week.until - week.from)) * 100;
}
