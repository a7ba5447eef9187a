// The fields of the dialog that changes a job, and the call's body for those that differ.

import type { Job } from "./contract.ts";

export interface Fields {
  max_runtime: string;
  /** Empty: the default. */
  retries: string;
  not_before: string;
  expires: string;
  deadline: string;
  never_preempt: boolean;
  idle_exempt: boolean;
}

export type JobUpdate = {
  max_runtime?: number;
  options?: Record<string, string | number | boolean | null>;
};

export function fieldsOf({ max_runtime, options }: Job): Fields {
  return {
    max_runtime: String(max_runtime),
    retries: options.retries === null ? "" : String(options.retries),
    not_before: options.not_before ?? "",
    expires: options.expires ?? "",
    deadline: options.deadline ?? "",
    never_preempt: options.never_preempt,
    idle_exempt: options.idle_exempt,
  };
}

/** Returns the changes that the fields make; null if they make none. An empty field resets its option. */
export function changedFields(job: Job, fields: Fields): JobUpdate | null {
  const before = fieldsOf(job);
  const { max_runtime, ...others } = fields;
  const options: Record<string, string | number | boolean | null> = {};
  for (const [name, value] of Object.entries(others)) {
    if (value === before[name as keyof Fields]) continue;
    options[name] = value === "" ? null : name === "retries" ? Number(value) : value;
  }
  const update: JobUpdate = {};
  if (max_runtime !== before.max_runtime) update.max_runtime = Number(max_runtime);
  if (Object.keys(options).length) update.options = options;
  return Object.keys(update).length ? update : null;
}
