// Asks the queue when a request would start, shortly after its text has changed.

import { useEffect, useState } from "preact/hooks";
import type { Forecast } from "./contract.ts";
import { type Refusal, refusalOf, sendText } from "./server.ts";

/** Milliseconds without a further letter before the queue is asked. */
const PAUSE = 500;

export interface Forecasted {
  forecast: Forecast | null;
  refusal: Refusal | null;
}

const NOTHING: Forecasted = { forecast: null, refusal: null };

/** Returns what the queue says about this very text; nothing while it is asked, or if there is no request in it. */
export function useForecast(text: string, isRequest: boolean): Forecasted {
  const [found, setFound] = useState<{ text: string; told: Forecasted } | null>(null);
  useEffect(() => {
    if (!isRequest) return;
    let isOver = false;
    const tell = (told: Forecasted) => isOver || setFound({ text, told });
    const timer = setTimeout(() => {
      sendText<Forecast>("POST", "what-if", text).then(
        (forecast) => tell({ forecast, refusal: null }),
        (cause) => tell({ forecast: null, refusal: refusalOf(cause) }),
      );
    }, PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, isRequest]);
  return isRequest && found?.text === text ? found.told : NOTHING;
}
