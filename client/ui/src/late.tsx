// Says how old the shown values are, and that the queue does not answer.

import { ageOf, HUNG, LATE, oldest, oldestUnrefused, useClock } from "./freshness.ts";
import { clock, span } from "./words.ts";

/** In the head: amber once the values are late. */
export function Updated() {
  const now = useClock();
  const last = oldest();
  if (!last) return null;
  const age = ageOf(last, now);
  const first = age < LATE ? "updating …" : `no answer for ${span(age)}`;
  const said = last.hasAnswered ? `updated ${span(age)} ago` : first;
  return <span class={`updated ${age >= LATE ? "late" : "quiet"}`}>{said}</span>;
}

/** Above the view. An error has its own note there. */
export function Hung() {
  const now = useClock();
  const last = oldestUnrefused();
  if (!last || ageOf(last, now) < HUNG) return null;
  return (
    <p class="trouble late" role="alert">
      <strong>The queue has not answered for {span(ageOf(last, now))}.</strong>{" "}
      {last.hasAnswered && `This view is of ${clock(last.updated, now)}.  `}
      The page keeps asking. If this lasts, check your network, and `sagequeue doctor`.
    </p>
  );
}
