// A chart of series over time. Its label says in words what it shows; a table beside it has the numbers.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { timeLabels, timeRange } from "./time_axis.ts";

export interface Line {
  name: string;
  /** A variable of the style sheet. */
  colour: string;
  /** One for each time; the line goes on over null. */
  values: readonly (number | null)[];
  isFilled?: boolean;
  isDashed?: boolean;
  /** Each value holds until the next one. */
  isStepped?: boolean;
  /** Each value is a dot; no line connects them. */
  isDots?: boolean;
}

/** A vertical line. */
export interface ChartMark {
  at: number;
  colour: string;
}

export interface ChartProps {
  label: string;
  /** In milliseconds. */
  times: readonly number[];
  lines: readonly Line[];
  marks?: readonly ChartMark[];
  height?: number;
  /** Of the vertical axis; by default that of the largest value. */
  top?: number | undefined;
  /** The times are since a beginning. */
  isElapsed?: boolean;
  /** The vertical axis spans the values; otherwise it begins with 0. */
  isFitted?: boolean;
  /** Called with the index of the time under the pointer, and with null when it leaves. */
  onPoint?: (index: number | null) => void;
}

export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const pointed = useRef(props.onPoint);
  pointed.current = props.onPoint;
  // Drawn again when what it shows differs, not each second.
  const shown = JSON.stringify([props.times, props.lines, props.marks, props.top, props.height, props.label]);
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    let plot = draw(place, props, pointed);
    const again = () => {
      plot.destroy();
      plot = draw(place, props, pointed);
    };
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const size = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: plot.height }));
    size.observe(place);
    scheme.addEventListener("change", again);
    return () => {
      size.disconnect();
      scheme.removeEventListener("change", again);
      plot.destroy();
    };
  }, [shown]);
  return <div class="chart" ref={box} role="img" aria-label={props.label} />;
}

function draw(place: HTMLElement, props: ChartProps, pointed: { current: ChartProps["onPoint"] }): uPlot {
  const { times, lines, marks = [], height = 150, isElapsed = false } = props;
  const colour = coloursOf(place);
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  return new uPlot(
    {
      width: place.clientWidth,
      height,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        x: { range: () => timeRange(times) },
        y: { range: (_, least, most) => rangeOf(props, least, most) },
      },
      axes: [
        {
          ...axis,
          values: (_, splits) => timeLabels(splits, times, isElapsed),
          space: 70,
          size: 30,
        },
        { ...axis, size: 44, space: 28 },
      ],
      series: [{}, ...lines.map((line) => series(line, colour))],
      hooks: {
        draw: [(plot) => drawMarks(plot, marks, colour)],
        setCursor: [({ cursor: { idx } }) => pointed.current?.(idx ?? null)],
      },
    },
    [times.map((time) => time / 1000), ...lines.map((line) => [...line.values])],
    place,
  );
}

function rangeOf({ top, isFitted }: ChartProps, least: number, most: number): [number, number] {
  if (!isFitted) return [0, top ?? Math.max(1, most * 1.08)];
  const margin = (most - least) * 0.08 || Math.abs(most) * 0.1 || 1;
  return [least - margin, most + margin];
}

function series(line: Line, colour: (name: string) => string): uPlot.Series {
  const stroke = colour(line.colour);
  return {
    label: line.name,
    stroke,
    width: 1.5,
    points: { show: line.isDots || isSingle(line), fill: stroke },
    spanGaps: true,
    ...(line.isFilled && { fill: stroke.replace("rgb(", "rgba(").replace(")", ", 0.28)") }),
    ...(line.isDashed && { dash: [5, 4] }),
    ...(line.isDots && { paths: () => null }),
    ...(line.isStepped && uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
  };
}

/** A line through one value has no length; a point shows it. */
function isSingle({ values }: Line): boolean {
  return values.filter((value) => value !== null).length === 1;
}

function drawMarks(plot: uPlot, marks: readonly ChartMark[], colour: (name: string) => string): void {
  const { left, top, width, height } = plot.bbox;
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark.at / 1000, "x", true)) + 0.5;
    if (x < left || x > left + width) continue;
    plot.ctx.save();
    plot.ctx.strokeStyle = colour(mark.colour);
    plot.ctx.lineWidth = devicePixelRatio;
    plot.ctx.setLineDash([]);
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, top);
    plot.ctx.lineTo(x, top + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  }
}

/** Returns a function that resolves a variable of the style sheet: a canvas does not know them. */
function coloursOf(place: HTMLElement): (name: string) => string {
  return (name) => {
    place.style.color = `var(${name})`;
    const found = getComputedStyle(place).color;
    place.style.color = "";
    return found;
  };
}
