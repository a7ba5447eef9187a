// Metrics of an attempt, as the page's server reads them (client/src/sagequeue/ui/job_metrics.py), and what they say.

export interface AttemptMetrics {
  attempt: string;
  /** Of which the first ones are shown. */
  hosts: number;
  charts: MetricChart[];
}

export interface MetricChart {
  name: string;
  unit: string;
  /** In milliseconds. */
  times: number[];
  lines: { name: string; values: (number | null)[] }[];
}

export interface Figures {
  last: number;
  mean: number;
  least: number;
  most: number;
}

/** Returns the figures over all lines of a chart; the last one is the mean of each line's last value. */
export function figuresOf(chart: MetricChart): Figures {
  const lines = chart.lines.map((line) => line.values.filter((value) => value !== null));
  const all = lines.flat();
  const lasts = lines.map((values) => values.at(-1)).filter((value) => value !== undefined);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return {
    last: mean(lasts),
    mean: mean(all),
    least: all.reduce((least, value) => Math.min(least, value), all[0] ?? 0),
    most: all.reduce((most, value) => Math.max(most, value), all[0] ?? 0),
  };
}

/** Returns the last value of each line that has one. */
export function lastOfEach(chart: MetricChart): string {
  const lasts = chart.lines
    .map((line) => ({ ...chart, lines: [line] }))
    .filter(({ lines: [line] }) => {
      return line?.values.some((value) => value !== null);
    });
  return lasts.map((one) => `${one.lines[0]?.name} ${withUnit(figuresOf(one).last, chart.unit)}`).join(", ");
}

/** Returns a value with its unit: three digits are enough, and a small loss keeps them. */
export function withUnit(value: number, unit: string): string {
  const text = Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
  return unit ? `${text} ${unit}` : text;
}

export function metricSummary(chart: MetricChart): string {
  const { last, mean, least, most } = figuresOf(chart);
  const [end, middle, bottom, top] = [last, mean, least, most].map((value) => withUnit(value, chart.unit));
  return `${chart.name}: ${end} at last, ${middle} on average, from ${bottom} to ${top}`;
}

/** Returns the value of a percentage that the axis ends with; other axes end with their largest value. */
export function topOf(chart: MetricChart): number | undefined {
  return chart.unit === "%" ? 100 : undefined;
}
