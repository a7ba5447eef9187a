// A text of several lines that scrolls, also by keyboard.

import type { ComponentChildren } from "preact";

export function TextBlock({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
    <pre class="text-block" tabIndex={0} role="group" aria-label={label}>
      {children}
    </pre>
  );
}
