// The range and the labels of a chart's time axis. The axis counts in seconds, a chart's times are in milliseconds.

import { span } from "./words.ts";

const MINUTE = 60;
const DAY = 86_400;
/** Shown before and after a single time. */
const AROUND = 5 * MINUTE;

/** Returns the range from the first time to the last. That of uPlot spans 1000 days after a single time. */
export function timeRange(times: readonly number[]): [number, number] {
  const [first, last] = [(times[0] ?? 0) / 1000, (times.at(-1) ?? 0) / 1000];
  return first === last ? [Math.max(0, first - AROUND), last + AROUND] : [first, last];
}

/** Returns a label for each of these seconds. Repetitions are empty: in a short time, several are in one minute. */
export function timeLabels(seconds: readonly number[], times: readonly number[], isElapsed: boolean): string[] {
  const labels = seconds.map((time) => (isElapsed ? span(time * 1000) : clockLabel(time, times)));
  return labels.map((label, index) => (label === labels[index - 1] ? "" : label));
}

function clockLabel(time: number, times: readonly number[]): string {
  const moment = new Date(time * 1000);
  const isLong = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000 > 2 * DAY;
  const isMidnight = moment.getHours() === 0 && moment.getMinutes() === 0;
  const options: Intl.DateTimeFormatOptions =
    isLong || isMidnight ? { weekday: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit" };
  return moment.toLocaleString("en-GB", options);
}
