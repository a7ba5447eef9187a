// Formats amounts of money; all are estimates, in US dollars.

import type { Cost } from "./contract.ts";

/** Returns `$12.30`; an amount below half a cent with its first significant digit. */
export function dollars(amount: number): string {
  return `$${amount >= 0.005 || !amount ? amount.toFixed(2) : Number(amount.toPrecision(1))}`;
}

/** Returns the cost, with `≤` until SageMaker has reported what it bills. */
export function costText(cost: Cost | null): string {
  if (!cost) return "no known price";
  return (cost.final ? "" : "≤ ") + dollars(cost.dollars + cost.retained_dollars);
}
