// Makes many links or buttons one tab stop: arrows, home and end move between them.

import { useLayoutEffect, useRef } from "preact/hooks";

/** Returns the properties of the element around them. */
export function useOneTabStop<E extends HTMLElement>(selector: string) {
  const ref = useRef<E>(null);
  const current = useRef(0);
  const stops = () => [...(ref.current?.querySelectorAll<HTMLElement>(selector) ?? [])];

  useLayoutEffect(() => {
    const all = stops();
    for (const [index, stop] of all.entries())
      stop.tabIndex = index === Math.min(current.current, all.length - 1) ? 0 : -1;
  });

  function onKeyDown(event: KeyboardEvent): void {
    const all = stops();
    const from = all.indexOf(event.target as HTMLElement);
    const to = {
      ArrowDown: from + 1,
      ArrowRight: from + 1,
      ArrowUp: from - 1,
      ArrowLeft: from - 1,
      Home: 0,
      End: all.length - 1,
    };
    const next = all[to[event.key as keyof typeof to] ?? -1];
    if (from < 0 || !next) return;
    event.preventDefault();
    next.tabIndex = 0;
    next.focus();
  }

  function onFocusCapture(event: FocusEvent): void {
    const index = stops().indexOf(event.target as HTMLElement);
    if (index >= 0) current.current = index;
  }

  return { ref, onKeyDown, onFocusCapture };
}
