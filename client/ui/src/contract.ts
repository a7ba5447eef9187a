// The JSON of the queue's API (docs/reference/rest.md), as far as the page reads it.

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

/** The program was asked to save; its attempt is stopped once it has, and at the deadline at the latest. */
export interface StopNotice {
  asked_at: string;
  deadline: string;
}

/** The newest save that the program has reported: work after `saved_at` is not in it. */
export interface Save {
  step: number;
  saved_at: string;
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
  /** The attempt whose warm pool it used. */
  on_pool: string | null;
  /** For each instance, once SageMaker has reported it. */
  billable_seconds: number | null;
  /** Billed for the warm pool that it left, for each instance. */
  retained_seconds: number;
  /** The index of the job's choice. */
  choice: number;
  /** The selected instance preference. */
  selected: Record<string, number> | null;
  /** Whether it was created with a stop object; only of a live attempt. */
  takes_notice: boolean;
  /** And its program has reported that it reads notices. */
  listens: boolean;
  notice: StopNotice | null;
  saved: Save | null;
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

export interface Options {
  never_preempt: boolean;
  checkpoint_interval: number | null;
  idle_exempt: boolean;
  /** People work in its container. */
  interactive: boolean;
  retries: number | null;
  /** The team that its user chose. */
  team: string | null;
  /** Of the code in S3 at submission. */
  source_etag: string | null;
  notify: string[];
  /** Null unless the job is elastic. */
  instances: InstanceRange | null;
  restart_tuning: boolean;
  /** A tuning job's; null: as many trials at a time as its request says. */
  min_parallel: number | null;
  order: string;
  not_before: string | null;
  expires: string | null;
  deadline: string | null;
  deadline_for: string;
  /** Names of jobs that have to complete, to end, or to fail or stop first. */
  after_ok: string[];
  after_any: string[];
  after_not_ok: string[];
  if_never_satisfied: string;
}

/** The numbers of instances of an elastic job. Only the answer about one job has its hyperparameters. */
export interface InstanceRange {
  min: number;
  max: number;
  step: number;
  hyperparameters?: Record<string, Record<string, string>>;
}

/** The request, or an alternative to it. */
export interface Choice {
  instances: Record<string, number>;
  spot: boolean;
  max_runtime: number;
  wait_for_better: number;
}

/** Another way to run a job, as an option of its submission: the members of its request that differ. */
export interface GivenAlternative {
  request: Record<string, unknown>;
  wait_for_better: number;
}

export interface CostRange {
  least_dollars: number | null;
  most_dollars: number | null;
  expected_run_time: number;
  max_runtime: number;
  spot: boolean;
  unknown_types: string[];
  prices_as_of: string | null;
}

/** The progress of a tuning job over its ended attempts. */
export interface Tuning {
  parallel: number;
  most_trials: number | null;
  ended_trials: number;
  parents: string[];
  continues: boolean;
}

export interface OpenCallback {
  kind: string;
  added_at: string;
}

export interface Job {
  name: string;
  arn: string;
  kind: string;
  state: State;
  priority: number;
  owner: string;
  instances: Record<string, number>;
  /** SageMaker selects one of these types: until then, `instances` has all of them. */
  preferences: string[];
  submitted_at: string;
  updated_at: string;
  position: number | null;
  reason: Reason;
  preemptions: number;
  max_runtime: number;
  has_checkpoints: boolean;
  team: string | null;
  options: Options;
  attempts: Attempt[];
  /** Ended attempts that the answer leaves out: none in the answer about one job. */
  earlier_attempts: number;
  on_demand: boolean;
  /** The index of its current or last choice; 0 is the request. */
  choice: number;
  /** The request and its alternatives, the best first; empty without alternatives. */
  choices: Choice[];
  not_before: string | null;
  /** Broken rules that only warn, and what the job asks for in vain. */
  warnings: Violation[];
  /** Whether the caller may change it. */
  may_control: boolean;
  tuning: Tuning | null;
  /** Only in the answer about one job, like the next six. */
  actions?: Action[];
  cost?: JobCost;
  request?: Record<string, unknown>;
  alternatives?: GivenAlternative[];
  model_artifacts?: string | null;
  metrics?: Record<string, number>;
  callbacks?: OpenCallback[];
  /** Only in the answer to a submission, like the next one. */
  cost_range?: CostRange;
  /** False: the queue had the job already. */
  is_new?: boolean;
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
  quota: Record<string, number>;
  lend: Record<string, number>;
  borrow_at_most: Record<string, number>;
  ceiling: Record<string, number>;
  settings: Record<string, string>;
  used_weighted_seconds: number;
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

export interface Budget {
  /** While an operator's own budget is set. */
  calendar_rests: boolean;
  periods: Period[];
  /** The operator who changed budget or intake last. */
  changed_by: string | null;
  changed_at: string | null;
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
  month: SpendingMonth | null;
  uses: SpendingUse[];
  left_out: number;
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
    is_below_quota: boolean;
    priority: number;
    owner_weighted_seconds: number | null;
    expected_run_time: number | null;
  } | null;
  starts: Starts | null;
}

export interface Starts {
  earliest: string | null;
  latest: string | null;
  after: string | null;
}

/** An action on many jobs, which the page's server carries out (client/src/sagequeue/ui/batches.py). */
export interface Batch {
  id: string;
  verb: "top" | "priority" | "hold" | "release" | "requeue" | "cancel";
  priority: number | null;
  total: number;
  changed: string[];
  refused: { name: string; message: string }[];
  /** It could not go on. */
  error: string | null;
  is_stopping: boolean;
  is_over: boolean;
}

/** The jobs that would be stopped if priorities were changed. */
export interface Victims {
  preempts: string[];
  starts_now: string[];
}

/** The answer about a request that is not submitted. */
export interface Forecast {
  starts_now: boolean;
  /** Null: behind more jobs than the queue counts. */
  behind: number | null;
  preempts: string[];
  reason: Reason;
  starts: Starts;
  cost_range: CostRange;
}

export interface WhoAmI {
  arn: string;
  principal: string | null;
  entry: string;
  verbs: string[];
  priority_ceiling: number | null;
}

/** The numbers of an array's jobs by their state. */
export interface Progress {
  completed: number;
  running: number;
  waiting: number;
  held_or_parked: number;
  failed: number;
  stopped: number;
  not_created: number;
}

export interface JobArray {
  name: string;
  owner: string;
  state: "active" | "held" | "ending" | "ended";
  size: number;
  priority: number;
  progress: Progress;
  problem: string | null;
  submitted_at: string;
}

export interface Finding {
  name: string;
  created_at: string;
  stopped: boolean;
  violations: Violation[];
}

export interface LogLine {
  at: number;
  attempt: string;
  host: string;
  text: string;
}

export interface LogLines {
  lines: LogLine[];
  /** The number of lines in which they were searched. */
  read: number;
  /** Nothing before them was left out. */
  is_whole: boolean;
}

export const QUEUED: ReadonlySet<State> = new Set<State>(["pending", "preempted"]);
export const LIVE: ReadonlySet<State> = new Set<State>(["launching", "running", "stopping"]);
export const ENDED: ReadonlySet<State> = new Set<State>(["completed", "failed", "stopped"]);
