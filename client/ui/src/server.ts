// Calls the page's own server, which forwards the calls to the queue.

import type { Problem } from "./config_contract.ts";
import type { Violation } from "./contract.ts";
import { proof } from "./entering.ts";

// A connection may hang, for example after a laptop has slept; the page then asks again.
const LONGEST_READ = 45_000; // milliseconds: one try of the server to reach the queue ends after 40 s

interface Details {
  problems?: Problem[];
  field?: string | null;
  violations?: Violation[];
}

/** The queue refused the call, or could not be reached. */
export class Refusal extends Error {
  readonly code: string;
  readonly remedy: string;
  /** Of a refused configuration. */
  readonly problems: readonly Problem[];
  /** Of a refused request: the member that it is refused for. */
  readonly field: string | null;
  /** The rules that a request breaks. */
  readonly violations: readonly Violation[];

  constructor(code: string, message: string, remedy: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.problems = details.problems ?? [];
    this.field = details.field ?? null;
    this.violations = details.violations ?? [];
  }
}

/** Returns the refusal that a call failed with, or one for an error of the page itself. */
export function refusalOf(cause: unknown): Refusal {
  return cause instanceof Refusal ? cause : new Refusal("unexpected", String(cause), "Reload the page.");
}

type Query = Record<string, string | null>;

export async function read<T>(path: string, query: Query = {}): Promise<T> {
  return call<T>("GET", addressOf(path, query));
}

export async function change<T>(path: string, body?: Record<string, unknown>, query: Query = {}): Promise<T> {
  return call<T>("POST", addressOf(path, query), body && JSON.stringify(body));
}

/** Sends the text of a configuration. */
export async function sendText<T>(method: "POST" | "PUT", path: string, text: string, query: Query = {}): Promise<T> {
  return call<T>(method, addressOf(path, query), text);
}

function addressOf(path: string, query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

export function ofJob(name: string, call = ""): string {
  return `jobs/${encodeURIComponent(name)}${call && `/${call}`}`;
}

async function call<T>(method: string, path: string, body?: string): Promise<T> {
  const signal = method === "GET" ? AbortSignal.timeout(LONGEST_READ) : null;
  let answer: Response;
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers: proof(),
      signal,
      ...(body !== undefined && { body }),
    });
  } catch {
    throw new Refusal("no_server", "The page's server does not answer.", "Start `sagequeue ui` again.");
  }
  const content = await answer.json();
  if (!answer.ok) throw new Refusal(content.error, content.message, content.remedy, content);
  return content as T;
}
