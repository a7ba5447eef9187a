// The JSON of the queue's API (docs/api.md), as far as the page reads it.

export type State =
  | "pending"
  | "preempted"
  | "launching"
  | "running"
  | "stopping"
  | "held"
  | "parked"
  | "completed"
  | "failed"
  | "stopped";

export interface Reason {
  code: string;
  message: string;
}

export interface Attempt {
  number: number;
  name: string;
  outcome: string | null;
  status: string;
  secondary_status: string;
  message: string;
  reserved_at: string;
  training_started_at: string | null;
  ended_at: string | null;
  failure_reason: string;
  beneficiary: string;
  interruptions: number;
  failure_class: string | null;
  action: string;
  /** For each instance, once SageMaker has reported it; absent from an older queue. */
  billable_seconds?: number | null;
  /** Only in the answer about one job; null: a price is unknown. */
  cost?: Cost | null;
}

/** In dollars; until it is final, the maximum so far. */
export interface Cost {
  dollars: number;
  retained_dollars: number;
  saved_dollars: number;
  wasted_dollars_at_most: number;
  final: boolean;
}

export interface JobCost extends Cost {
  unknown_types: string[];
  prices_as_of: string | null;
}

export interface Violation {
  rule: string;
  field: string;
  message: string;
  remedy: string;
}

export interface Action {
  at: string;
  kind: string;
  by: string;
  message: string;
}

export interface Job {
  name: string;
  state: State;
  priority: number;
  owner: string;
  instances: Record<string, number>;
  /** SageMaker selects one of these types: until then, `instances` has all of them. Absent from an older queue. */
  preferences?: string[];
  submitted_at: string;
  updated_at: string;
  position: number | null;
  reason: Reason;
  preemptions: number;
  max_runtime: number;
  has_checkpoints: boolean;
  team: string | null;
  options: { never_preempt: boolean; checkpoint_interval: number | null; idle_exempt: boolean };
  attempts: Attempt[];
  on_demand: boolean;
  not_before: string | null;
  warnings: Violation[];
  actions?: Action[];
  cost?: JobCost;
  request?: Record<string, unknown>;
}

export interface Listing {
  jobs: Job[];
  next: string | null;
}

export interface BudgetLine {
  limit: number;
  held: number;
  free: number;
}

export interface TeamLine {
  running: Record<string, number>;
  queued: number;
  weight: number;
  guarantee: Record<string, number>;
  /** Absent from an older queue. */
  used_instance_seconds?: number;
}

export interface Queue {
  intake_open: boolean;
  queued: number;
  live: number;
  by_state: Partial<Record<State, number>>;
  budget: Record<string, BudgetLine>;
  teams: Record<string, TeamLine>;
  shortages: Shortage[];
}

export interface Shortage {
  instance_type: string;
  spot: boolean;
  subnet: string | null;
  failures: number;
  failed_at: string;
  next_try_at: string;
}

export interface Period {
  begins: string;
  budget: Record<string, number>;
  excess: Record<string, string>;
  windows: string[];
}

export interface Calendar {
  rests: boolean;
  periods: Period[];
}

export interface Pool {
  name: string;
  job: string;
  instances: Record<string, number>;
  since: string | null;
  until: string | null;
  lent_to: string | null;
  cost: number | null;
  fits: string[];
}

export interface SpendingUse {
  limit: string;
  kind: string;
  scope: string;
  measure: "gpu_hours" | "dollars";
  most: number;
  /** Running attempts included; null, like the next two, if a count or a price is unknown. */
  used: number | null;
  running: number | null;
  forecast: number | null;
  state: "ok" | "near" | "used_up" | "unknown";
  reason: string | null;
}

export interface SpendingMonth {
  name: string;
  ends: string;
  time_zone: string;
}

export interface Spending {
  readable: boolean;
  month: SpendingMonth | null;
  uses: SpendingUse[];
}

/** The sums of a group of ended attempts, as `sagequeue report --json` prints them. */
export interface Sums {
  jobs: number;
  runs: number;
  waited_seconds: number;
  longest_wait_seconds: number;
  starting_instance_seconds: number;
  retained_instance_seconds: number;
  completed_instance_seconds: number;
  idle_instance_seconds: number;
  stopped_instance_seconds: number;
  preempted_instance_seconds: number;
  lost_at_most_instance_seconds: number;
  failed_instance_seconds: number;
  cost_dollars: number;
  saved_dollars: number;
  wasted_at_most_dollars: number;
  unpriced_runs: number;
}

export interface Report {
  total: Sums;
  /** By "owner", "team", "type", "day" and "tag:KEY". */
  groups: Record<string, Record<string, Sums>>;
  notes: string[];
}

export interface Explanation {
  name: string;
  position: number | null;
  reason: Reason;
  waits_for: string[];
  priority: {
    is_reserved_for: boolean;
    is_long_waiting: boolean;
    is_below_guarantee: boolean;
    priority: number;
    expected_run_time: number | null;
  } | null;
  starts: Starts | null;
}

export interface Starts {
  earliest: string | null;
  latest: string | null;
  after: string | null;
}

export interface WhoAmI {
  arn: string;
  principal: string | null;
  entry: string;
  verbs: string[];
  priority_ceiling: number | null;
}

export interface Rules {
  version: number;
  text: string;
  changed_by: string | null;
  changed_at: string | null;
}

export interface Finding {
  name: string;
  created_at: string;
  stopped: boolean;
  violations: Violation[];
}

export interface Tail {
  attempt: string;
  lines: { at: number; host: string; text: string }[];
}

export const QUEUED: ReadonlySet<State> = new Set<State>(["pending", "preempted"]);
export const LIVE: ReadonlySet<State> = new Set<State>(["launching", "running", "stopping"]);
export const ENDED: ReadonlySet<State> = new Set<State>(["completed", "failed", "stopped"]);
