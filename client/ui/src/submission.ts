// The text of a request: its members that the page's fields show, and the lines of its problems.

import type { Problem } from "./config_contract.ts";
import type { Job } from "./contract.ts";
import type { Refusal } from "./server.ts";

/** A submission as POST /jobs takes it; without options its text is the request alone. */
export interface Submission {
  request: TrainingRequest;
  options?: Record<string, unknown>;
}

const PRIORITY = "queue:priority";
const LONGEST_NAME = 63;
/** The member with the name of a job, for each kind of job. */
export const NAME_MEMBERS = ["TrainingJobName", "HyperParameterTuningJobName", "ProcessingJobName"];

interface Tag {
  Key: string;
  Value: string;
}

/** A Create request of any kind of job, as far as the page reads it. */
export interface TrainingRequest {
  ResourceConfig?: { InstanceType?: string; InstanceCount?: number; [member: string]: unknown };
  Tags?: Tag[];
  [member: string]: unknown;
}

/** Members of a request that have a field of their own; null where the request has no such member. */
export interface Knobs {
  name: string;
  priority: number;
  type: string | null;
  count: number | null;
}

/** Returns the submission in a text, or the problem that it has as JSON. */
export function parsed(text: string): { submission: Submission | null; problems: Problem[] } {
  try {
    const content = JSON.parse(text);
    if (isObject(content)) return { submission: isSubmission(content) ? content : { request: content }, problems: [] };
    return { submission: null, problems: [{ line: 1, field: "", message: "The request is not a JSON object." }] };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const line = Number(/line (\d+)/.exec(message)?.[1]) || text.split("\n").length; // of an incomplete text the last
    return { submission: null, problems: [{ line, field: "", message: `This is not JSON: ${message}` }] };
  }
}

/** Returns the member with the job's name, which each kind of job calls differently. */
function nameMember(request: TrainingRequest): string {
  return NAME_MEMBERS.find((member) => member in request) ?? "TrainingJobName";
}

export function knobs(request: TrainingRequest): Knobs {
  const resources = isObject(request.ResourceConfig) ? request.ResourceConfig : {};
  return {
    name: String(request[nameMember(request)] ?? ""),
    priority: Number(tags(request).find(setsPriority)?.Value ?? 0),
    type: typeof resources.InstanceType === "string" ? resources.InstanceType : null,
    count: typeof resources.InstanceCount === "number" ? resources.InstanceCount : null,
  };
}

/** Returns the text of the submission with these members of its request changed. */
export function withKnobs({ request, ...beside }: Submission, changes: Partial<Knobs>): string {
  const { name, priority, type, count } = changes;
  const resources = { ...request.ResourceConfig };
  if (type != null) resources.InstanceType = type;
  if (count != null) resources.InstanceCount = count;
  const changed = {
    ...request,
    ...(name !== undefined && { [nameMember(request)]: name }),
    ...((type != null || count != null) && { ResourceConfig: resources }),
    ...(priority !== undefined && { Tags: withPriority(request, priority) }),
  };
  return textOf({ request: changed, ...beside });
}

/** Returns an earlier job as a new submission: with its priority, options and alternatives, under a new name. */
export function copyOf(job: Job): string {
  const request: TrainingRequest = job.request ?? {};
  const given = new Set(tags(request).map((tag) => tag.Key));
  const { never_preempt, restart_tuning, min_parallel, idle_exempt, interactive, retries, team } = job.options;
  const { checkpoint_interval, notify, order, instances } = job.options;
  const options: Record<string, boolean | number | string | null> = {
    "queue:never-preempt": unlessDefault(never_preempt, job.kind === "processing"),
    "queue:restart-tuning": restart_tuning,
    "queue:min-parallel": min_parallel,
    "queue:idle-exempt": unlessDefault(idle_exempt, interactive),
    "queue:interactive": interactive,
    "queue:retries": retries,
    "queue:team": team,
    "queue:checkpoint-interval": checkpoint_interval,
    "queue:notify": notify.join("+"),
    "queue:order": order === "best" && order,
  };
  const added = Object.entries(options)
    .filter(([key, value]) => (value || value === 0) && !given.has(key))
    .map(([Key, value]) => ({ Key, Value: String(value) }));
  const kept = tags(request).filter((tag) => tag.Key !== "queue:hold");
  const copy = { ...request, ...(kept.length + added.length > 0 && { Tags: [...kept, ...added] }) };
  const isPriorityKnown = knobs(request).priority === job.priority;
  const alternatives = job.alternatives?.length ? job.alternatives : null;
  const submission = {
    request: copy,
    ...((alternatives || instances) && {
      options: { ...(alternatives && { alternatives }), ...(instances && { instances }) },
    }),
  };
  return withKnobs(submission, { name: nextName(job.name), ...(!isPriorityKnown && { priority: job.priority }) });
}

/** Returns the text of a flag's tag, or null if the flag has its default without a tag. */
function unlessDefault(flag: boolean, usual: boolean): string | null {
  return flag === usual ? null : String(flag);
}

/** Returns the problems of a refused text, each with its line. */
export function problemsOf(refusal: Refusal, text: string): Problem[] {
  if (refusal.violations.length) {
    return refusal.violations.map(({ rule, field, message, remedy }) => ({
      line: lineOf(text, field),
      field,
      message: `${message} (rule ${rule}). ${remedy}`,
    }));
  }
  if (refusal.field === null) return [];
  const message = `${refusal.message} ${refusal.remedy}`.trim();
  return [{ line: lineOf(text, refusal.field), field: refusal.field, message }];
}

/** Returns the line of a member such as `ResourceConfig.InstanceCount`, or of the nearest member that it is in. */
export function lineOf(text: string, field: string): number | null {
  let at = -1;
  for (const member of inText(field)
    .split(/[.[\]]+/)
    .filter((part) => /^[A-Za-z]/.test(part))) {
    const next = text.indexOf(`"${member}"`, at + 1);
    if (next < 0) break;
    at = next;
  }
  return at < 0 ? null : text.slice(0, at).split("\n").length;
}

/** Returns the field with a member `request` for each alternative up to its own: each alternative has one. */
function inText(field: string): string {
  return field.replace(
    /^(options\.alternatives)\[(\d+)\](\.request)?/,
    (_, list: string, index: string) => list + ".request".repeat(Number(index) + 1),
  );
}

/** Returns `resnet-08` for `resnet-07`, and `resnet-2` for `resnet`. */
export function nextName(name: string): string {
  const [, stem = name, number = "1"] = /^(.*?)-(\d{1,9})$/.exec(name) ?? [];
  const end = `-${String(Number(number) + 1).padStart(number.length, "0")}`;
  return stem.slice(0, LONGEST_NAME - end.length).replace(/-+$/, "") + end;
}

export function textOf({ request, options }: Submission): string {
  return `${JSON.stringify(options ? { request, options } : request, null, 2)}\n`;
}

function isSubmission(content: object): content is Submission {
  return Object.keys(content).sort().join() === "options,request" && Object.values(content).every(isObject);
}

function tags(request: TrainingRequest): Tag[] {
  return Array.isArray(request.Tags) ? request.Tags.filter(isObject) : [];
}

function setsPriority(tag: Tag): boolean {
  return tag.Key === PRIORITY || tag.Key === "priority";
}

function withPriority(request: TrainingRequest, priority: number): Tag[] {
  return [...tags(request).filter((tag) => !setsPriority(tag)), { Key: PRIORITY, Value: String(priority) }];
}

function isObject<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
