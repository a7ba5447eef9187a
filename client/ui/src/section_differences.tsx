// The differences of sections, with some lines around each.

import type { Differences } from "./config_contract.ts";
import { TextBlock } from "./text_block.tsx";

export function SectionDifferences({ differences }: { differences: Differences }) {
  return (
    <>
      {Object.entries(differences).map(([kind, lines]) => (
        <div key={kind}>
          <h3>{kind}</h3>
          <TextBlock label={`Differences of ${kind}`}>
            {lines.map((line, index) => (
              <Line key={`${index} ${line}`} line={line} />
            ))}
          </TextBlock>
        </div>
      ))}
    </>
  );
}

/** A line after its mark: "+", "-" or a blank. */
function Line({ line }: { line: string }) {
  if (line.startsWith("+")) return <ins>{`${line}\n`}</ins>;
  if (line.startsWith("-")) return <del>{`${line}\n`}</del>;
  return <>{`${line}\n`}</>;
}
