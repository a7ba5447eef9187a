// What the queue forecasts for a request: its start, the jobs that it would stop, and its cost.

import type { CostRange, Forecast } from "./contract.ts";
import { Fact } from "./fact.tsx";
import { useNow } from "./freshness.ts";
import { dollars } from "./money.ts";
import { linkTo } from "./route.ts";
import { plural, span, start } from "./words.ts";

export function ForecastFacts({ forecast }: { forecast: Forecast }) {
  const now = useNow();
  const { preempts, behind, reason } = forecast;
  return (
    <>
      <p class="lead">{forecast.starts_now ? "It would start now." : reason.message || reason.code}</p>
      <dl class="facts">
        <Fact name="start">{forecast.starts_now ? "now" : start(forecast.starts, now)}</Fact>
        {!forecast.starts_now && (
          <Fact name="behind">{behind === null ? "more jobs than the queue counts" : plural(behind, "job")}</Fact>
        )}
        <Fact name="would stop">
          {preempts.length ? (
            <strong class="caution">
              {preempts.map((name) => (
                <a key={name} class="link" href={linkTo(name)}>
                  {name}{" "}
                </a>
              ))}
            </strong>
          ) : (
            "no job"
          )}
        </Fact>
        <Fact name="cost">{rangeText(forecast.cost_range)}</Fact>
        <Fact name="time limit">
          {span(forecast.cost_range.max_runtime * 1000)}
          {forecast.cost_range.spot && ", on spot instances"}
        </Fact>
      </dl>
    </>
  );
}

/** As the command `sagequeue whatif` prints it. */
function rangeText({ least_dollars, most_dollars, unknown_types, prices_as_of }: CostRange): string {
  if (least_dollars === null || most_dollars === null) return `no known price of ${unknown_types.join(", ")}`;
  const most = dollars(most_dollars);
  const amount = least_dollars === most_dollars ? most : `${dollars(least_dollars)} to ${most}`;
  return `${amount} per attempt, at prices of ${prices_as_of}`;
}
