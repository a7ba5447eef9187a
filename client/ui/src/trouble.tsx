// A problem, and its remedy.

import type { Refusal } from "./server.ts";

export function Trouble({ error }: { error: Refusal }) {
  return (
    <p class="trouble" role="alert">
      <strong>{error.message}</strong> {error.remedy}
    </p>
  );
}
