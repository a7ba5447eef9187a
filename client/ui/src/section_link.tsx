// A link to a section of the configuration.

import { linkToSection } from "./route.ts";

export function SectionLink({ kind }: { kind: string }) {
  return (
    <a class="link" href={linkToSection(kind)}>
      the configuration
    </a>
  );
}
