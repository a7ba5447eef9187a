// Calls the page's own server, which forwards the calls to the queue; a hosted page calls the queue directly.

import { proof } from "./entering.ts";
import { Refusal } from "./refusal.ts";

export { Refusal, refusalOf } from "./refusal.ts";

// A connection may hang, for example after a laptop has slept; the page then asks again.
const LONGEST_READ = 45_000; // milliseconds: one try of the server to reach the queue ends after 40 s

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

/** Carries out a call of the page, and returns the answer's JSON. Throws Refusal. */
export type Transport = (
  method: string,
  address: string,
  body: string | null,
  signal: AbortSignal | null,
) => Promise<unknown>;

let transport: Transport = callOwnServer;

/** Replaces the page's server, which a hosted page does not have. */
export function callThrough(other: Transport): void {
  transport = other;
}

async function call<T>(method: string, address: string, body?: string): Promise<T> {
  const signal = method === "GET" ? AbortSignal.timeout(LONGEST_READ) : null;
  return (await transport(method, address, body ?? null, signal)) as T;
}

async function callOwnServer(
  method: string,
  address: string,
  body: string | null,
  signal: AbortSignal | null,
): Promise<unknown> {
  const answer = await fetch(`/api/${address}`, { method, headers: proof(), signal, body }).catch(() => {
    throw new Refusal("no_server", "The page's server does not answer.", "Start `sagequeue ui` again.");
  });
  const content = await answer.json();
  if (!answer.ok) throw new Refusal(content.error, content.message, content.remedy, content);
  return content;
}
