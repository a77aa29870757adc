/** Medians, tables and a description of the machine, in the form that all benchmarks print. */
import { cpus, totalmem } from 'node:os';

/** The product's default deadline for a solve. The server for the browser tests has a longer deadline. */
export const AS_DELIVERED = { SOLVER_SECONDS: '5' } as const;

let busy = false;

/**
 * Makes `now` count this process's processor time in all threads instead of wall time, for a machine that is busy with
 * other work.
 */
export function countProcessorTime(): void {
  busy = true;
}

/**
 * As `countProcessorTime`, and replaces the clocks that HiGHS reads for its own time limit. It would reach that limit
 * too early on a busy machine. For a part that runs by itself, since other parts read these clocks too.
 */
export function limitProcessorTime(): void {
  countProcessorTime();
  performance.now = now;
  Date.now = now;
}

export const countsProcessorTime = (): boolean => busy;

/** The current time in milliseconds; only differences mean anything. */
export function now(): number {
  if (!busy) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How long some runs took, in milliseconds. */
export interface Spread {
  median: number;
  p95: number;
  worst: number;
}

/** The smallest value that at least `share` of the sorted values do not exceed (nearest rank). */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), worst: sorted.at(-1) ?? Number.NaN };
}

/** Formats a time: with one decimal below 10 (`0.4`), otherwise without decimals (`12`, `1,240`). */
export function milliseconds(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');
}

export const spreadText = ({ median, p95, worst }: Spread): string =>
  [median, p95, worst].map(milliseconds).join(' / ');

/** Formats a table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** One line that describes the machine. */
export function machine(): string {
  const all = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  const time = busy ? 'processor time' : 'wall time';
  return `${date}, ${all.length} cores (${all[0]?.model.trim() ?? 'unknown'}), ${memory} GiB, Node ${process.version}, ${time}`;
}
