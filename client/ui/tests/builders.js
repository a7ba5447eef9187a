// Jobs as the API tells them, for tests of what the page computes.

export const T0 = Date.parse("2026-11-21T10:00:00Z");

/** So many seconds after T0, as the API writes it. */
export function at(seconds) {
  return new Date(T0 + seconds * 1000).toISOString();
}

export function attempt(number, from, until = null, changes = {}) {
  return {
    number,
    name: `a-sq-${number}`,
    choice: 0,
    selected: null,
    outcome: until === null ? null : "completed",
    reserved_at: at(from),
    training_started_at: at(from),
    ended_at: until === null ? null : at(until),
    ...changes,
  };
}

export function job(name, changes = {}) {
  return {
    name,
    state: "running",
    priority: 0,
    owner: "arn:aws:sts::123456789012:assumed-role/Vision/ada",
    instances: { g5: 1 },
    preferences: [],
    choices: [],
    submitted_at: at(0),
    max_runtime: 600,
    has_checkpoints: true,
    reason: { code: "running", message: "" },
    attempts: [],
    earlier_attempts: 0,
    may_control: true,
    ...changes,
  };
}

const SUMS = ["completed", "preempted", "lost_at_most", "failed", "idle", "stopped", "starting", "retained"];

/** Of a report: nothing but what is given. */
export function sums(changes = {}) {
  const nothing = Object.fromEntries(SUMS.map((name) => [`${name}_instance_seconds`, 0]));
  return { ...nothing, jobs: 1, runs: 1, unpriced_runs: 0, ...changes };
}
