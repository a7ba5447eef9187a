// How sums of money are written; all of them are in US dollars, and estimates.

import type { Cost } from "./contract.ts";

/** `$12.30`; a smaller amount than half a cent with its first digit that counts. */
export function dollars(amount: number): string {
  return `$${amount >= 0.005 || !amount ? amount.toFixed(2) : Number(amount.toPrecision(1))}`;
}

/** With `≤` until SageMaker has said what it bills. */
export function costText(cost: Cost | null): string {
  if (!cost) return "no known price";
  return (cost.final ? "" : "≤ ") + dollars(cost.dollars + cost.retained_dollars);
}
