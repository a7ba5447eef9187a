// Plans and applies a text of the configuration. A plan or a refusal counts only for the very text that it is of.

import { useState } from "preact/hooks";
import type { Config, ConfigPlan } from "./config_contract.ts";
import { FILE } from "./config_logic.ts";
import { type Refusal, refusalOf, sendText } from "./server.ts";

/** The refusal of a plan after which another operator has applied a version. */
export const STALE = "StaleConfig";

export interface Draft {
  plan: ConfigPlan | null;
  refusal: Refusal | null;
  isBusy: boolean;
  makePlan: () => Promise<void>;
  /** Applies the planned text; null if there is none, or if it is refused. */
  apply: (comment: string) => Promise<Config | null>;
}

interface Outcome {
  text: string;
  plan: ConfigPlan | null;
  refusal: Refusal | null;
}

export function useDraft(kind: string, text: string): Draft {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const path = kind === FILE ? "config" : `config/${kind}`;
  const { plan, refusal } = outcome?.text === text ? outcome : { plan: null, refusal: null };

  async function makePlan(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    try {
      setOutcome({ text, plan: await sendText<ConfigPlan>("POST", `${path}/plan`, text), refusal: null });
    } catch (cause) {
      setOutcome({ text, plan: null, refusal: refusalOf(cause) });
    } finally {
      setIsBusy(false);
    }
  }

  async function apply(comment: string): Promise<Config | null> {
    if (isBusy || !plan) return null;
    setIsBusy(true);
    try {
      return await sendText<Config>("PUT", path, text, { replaces: String(plan.version), comment });
    } catch (cause) {
      const refused = refusalOf(cause);
      setOutcome({ text, plan: refused.code === STALE ? null : plan, refusal: refused });
      return null;
    } finally {
      setIsBusy(false);
    }
  }

  return { plan, refusal, isBusy, makePlan, apply };
}
