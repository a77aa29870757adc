import type { OptionFigures, SolutionCell, Solutions } from '@clinic/contract';
import { TEXTS, UNASSIGNED } from '@clinic/contract';
import { parseClockTime, parseDate, timeSlot, type IsoDate } from '@clinic/domain';

/** What a proposal looks like as a table: the wire's nested records, sorted and ready to draw. Pure. */

/** SOL-03: never fewer columns than this; those without an option hold dashes. */
const LEAST_COLUMNS = 3;

export type CellKind = 'scheduled' | 'cover' | 'swap' | 'cancel' | 'unassigned';

export interface CellView {
  /** The solution's own key of the slot, as it goes back to the server. */
  slot: string;
  therapist: string;
  kind: CellKind;
  /** The second line: `Cover, on the team`, `Nobody, 120 min`. */
  words: string;
  minutes: number;
  familiarity: SolutionCell['familiarity'];
  /** Who was booked; null where nobody was or it is not told. */
  from: string | null;
}

export interface SlotRow {
  slot: string;
  /** Minutes after midnight. */
  start: number;
  end: number;
  /** By column; null is a dash. */
  cells: readonly (CellView | null)[];
}

export interface ClientBlock {
  client: string;
  rows: readonly SlotRow[];
}

export interface OptionColumn {
  name: string;
  /** False for a column that only fills the table up. */
  real: boolean;
  figures: OptionFigures | null;
  best: { kept: boolean; changes: boolean; faces: boolean };
}

export interface DateTable {
  date: IsoDate;
  columns: readonly OptionColumn[];
  blocks: readonly ClientBlock[];
  /** Rows over all clients: the day's sessions and pieces. */
  sessions: number;
}

const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The dates of a proposal, sorted; keys that are no dates are left out. */
export const datesOf = (data: Solutions): IsoDate[] =>
  Object.keys(data)
    .map(parseDate)
    .filter((d) => d !== null)
    .sort();

/** SOL-06: what to say instead of a table, or null where there is one. */
export function emptyMessage(data: Solutions | null | undefined, date: string | undefined): string | null {
  if (!data || Object.keys(data).length === 0) return TEXTS.noSolutions;
  if (!date) return TEXTS.noDate;
  return Object.keys(data[date] ?? {}).length === 0 ? TEXTS.noDataForDate : null;
}

/** Minutes of a slot key: `8:30 AM - 11:30 AM`, also with a subject in brackets; null for another text. */
export function parseSlot(slot: string): { start: number; end: number } | null {
  const m = /^(\d{1,2}:\d{2} [AP]M) - (\d{1,2}:\d{2} [AP]M)(?: \(.*\))?$/.exec(slot);
  const start = parseClockTime(m?.[1] ?? '');
  const end = parseClockTime(m?.[2] ?? '');
  if (start === null || end === null) return null;
  return { start, end: end <= start ? end + 1440 : end };
}

/** `Option 1` … in counting order, over everything the date holds. */
export function optionNames(data: Solutions, date: string): string[] {
  const found = new Set<string>();
  for (const options of Object.values(data[date] ?? {})) for (const name of Object.keys(options)) found.add(name);
  return [...found].sort(names.compare);
}

const FAMILIAR = { team: 'on the team', known: 'known', new: 'new face' } as const;

export function cellView(slot: string, cell: SolutionCell): CellView {
  const times = parseSlot(slot);
  const minutes = cell.minutes ?? (times ? times.end - times.start : 0);
  const kind = kindOf(cell);
  const familiar = cell.familiarity ? `, ${FAMILIAR[cell.familiarity]}` : '';
  const words =
    kind === 'unassigned'
      ? `Nobody, ${minutes} min`
      : kind === 'cover' || kind === 'swap'
        ? `${cell.status}${familiar}`
        : kind === 'cancel'
          ? 'Cancel'
          : cell.status;
  return {
    slot,
    therapist: cell.therapist,
    kind,
    words,
    minutes,
    familiarity: cell.familiarity,
    from: cell.from ?? null,
  };
}

/** SOL-04: therapist or status decides; a client who is away comes before nobody being there. */
function kindOf(cell: SolutionCell): CellKind {
  if (cell.status === 'Cancel' || cell.therapist === 'Cancel') return 'cancel';
  if (cell.status === UNASSIGNED || cell.therapist === UNASSIGNED) return 'unassigned';
  if (cell.status === 'Cover') return 'cover';
  return cell.status === 'Swap' ? 'swap' : 'scheduled';
}

/**
 * Slots by time, but those that are different cuts of the same stretch stay together, the first option's cut first:
 * 12:30 - 2:30, 2:30 - 3:30, then 12:30 - 3:30 of the next option.
 */
function orderSlots(options: Solutions[string][string], columns: readonly string[]): string[] {
  const found: { slot: string; start: number; end: number; rank: number }[] = [];
  columns.forEach((name, rank) => {
    for (const slot of Object.keys(options[name] ?? {})) {
      if (found.some((f) => f.slot === slot)) continue;
      const times = parseSlot(slot) ?? { start: 1440, end: 1440 };
      found.push({ slot, ...times, rank });
    }
  });
  found.sort((a, b) => a.start - b.start || a.end - b.end);
  const clusters: (typeof found)[] = [];
  let until = -1;
  for (const f of found) {
    const last = clusters.at(-1);
    if (last && f.start < until) last.push(f);
    else clusters.push([f]);
    until = Math.max(last && f.start < until ? until : -1, f.end);
  }
  return clusters.flatMap((c) => c.sort((a, b) => a.rank - b.rank || a.start - b.start).map((f) => f.slot));
}

/** One date of a proposal as a table. */
export function tableOf(data: Solutions, figures: Record<string, OptionFigures>, date: IsoDate): DateTable {
  const real = optionNames(data, date);
  const filled = [...real];
  for (let n = 1; filled.length < LEAST_COLUMNS; n++) if (!filled.includes(`Option ${n}`)) filled.push(`Option ${n}`);
  const blocks = Object.entries(data[date] ?? {})
    .sort(([a], [b]) => names.compare(a, b))
    .map(([client, options]) => ({
      client,
      rows: orderSlots(options, real).map((slot) => ({
        slot,
        ...(parseSlot(slot) ?? { start: 0, end: 0 }),
        cells: filled.map((name) => {
          const cell = options[name]?.[slot];
          return cell ? cellView(slot, cell) : null;
        }),
      })),
    }));
  return {
    date,
    columns: columnsOf(filled, new Set(real), figures),
    blocks,
    sessions: blocks.reduce((sum, b) => sum + sessionsOf(b), 0),
  };
}

/** How many sessions a client's rows stand for: different cuts of one, and pieces that follow on it, count once. */
function sessionsOf(block: ClientBlock): number {
  let count = 0;
  let last = { end: -1, from: undefined as string | null | undefined };
  for (const row of [...block.rows].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const from = row.cells.find((c) => c !== null)?.from;
    const goesOn = row.start < last.end || (row.start === last.end && from === last.from);
    if (!goesOn) count++;
    last = { end: Math.max(last.end, row.end), from };
  }
  return count;
}

/** Boxes the best figure of each kind, unless all are the same: then none stands out. */
function columnsOf(
  filled: readonly string[],
  real: ReadonlySet<string>,
  figures: Record<string, OptionFigures>,
): OptionColumn[] {
  const known = filled.filter((n) => real.has(n)).map((n) => figures[n]);
  const best = (value: (f: OptionFigures) => number) => {
    const values = known.filter((f) => f !== undefined).map(value);
    const top = Math.max(...values);
    return values.some((v) => v !== top) ? top : null;
  };
  const kept = best((f) => f.minutes_kept);
  const changes = best((f) => -f.changes);
  const faces = best((f) => -f.new_faces);
  return filled.map((name) => {
    const f = real.has(name) ? (figures[name] ?? null) : null;
    return {
      name,
      real: real.has(name),
      figures: f,
      best: {
        kept: f !== null && f.minutes_kept === kept,
        changes: f !== null && -f.changes === changes,
        faces: f !== null && -f.new_faces === faces,
      },
    };
  });
}

/** `12:30 to 2:30 PM`, `11:30 AM to 12:30 PM`. */
export function rangeWords(start: number, end: number): string {
  const [a = '', b = ''] = timeSlot(start, end).split(' - ');
  return a.slice(-2) === b.slice(-2) ? `${a.slice(0, -3)} to ${b}` : `${a} to ${b}`;
}
