// Calls the page's own server, which forwards the calls to the queue.

import { proof } from "./entering.ts";

// A connection may hang, for example after a laptop has slept; the page then asks again.
const LONGEST_READ = 45_000; // milliseconds: one try of the server to reach the queue ends after 40 s

/** The queue refused the call, or could not be reached. */
export class Refusal extends Error {
  readonly code: string;
  readonly remedy: string;

  constructor(code: string, message: string, remedy: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

export async function read<T>(path: string, query: Record<string, string | null> = {}): Promise<T> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return call<T>("GET", given.length ? `${path}?${new URLSearchParams(given)}` : path);
}

export async function change<T>(path: string, body?: Record<string, unknown>): Promise<T> {
  return call<T>("POST", path, body);
}

export function ofJob(name: string, call = ""): string {
  return `jobs/${encodeURIComponent(name)}${call && `/${call}`}`;
}

async function call<T>(method: string, path: string, body?: Record<string, unknown>): Promise<T> {
  const signal = method === "GET" ? AbortSignal.timeout(LONGEST_READ) : null;
  let answer: Response;
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers: proof(),
      signal,
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refusal("no_server", "The page's server does not answer.", "Start `sagequeue ui` again.");
  }
  const content = await answer.json();
  if (!answer.ok) throw new Refusal(content.error, content.message, content.remedy);
  return content as T;
}
