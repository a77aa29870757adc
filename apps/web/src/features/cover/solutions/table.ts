import type { ClientFigures, OptionFigures, ProposalMetadata, SolutionCell, Solutions } from '@clinic/contract';
import { TEXTS, UNASSIGNED } from '@clinic/contract';
import { compareNames, duration, parseDate, type IsoDate } from '@clinic/domain';
import { orderSlots, parseSlot, type OrderedSlot } from './slots.ts';

/** A proposal as a table: the nested records from the server, sorted and ready to draw. Pure. */

/** SOL-03: at least this many columns; those without an option hold dashes. */
const LEAST_COLUMNS = 3;

export type CellKind = 'scheduled' | 'cover' | 'swap' | 'cancel' | 'unassigned';

export interface CellView {
  /** The solution's own key for the slot, sent back to the server unchanged. */
  slot: string;
  therapist: string;
  kind: CellKind;
  /** The second line: `Cover, on the team`, `No therapist, 2 h`. */
  words: string;
  minutes: number;
  familiarity: SolutionCell['familiarity'];
  /** The therapist who was booked; null when there was none, or the reply does not say. */
  from: string | null;
}

export interface DashView {
  /** The option takes a longer stretch whole, cuts this one into parts, or has nothing here. */
  dash: 'whole' | 'parts' | 'nothing';
  /** If the option takes a longer stretch whole, its cell there, which continues in this row. */
  over: CellKind | null;
}

export interface SlotRow {
  slot: string;
  /** Minutes after midnight. */
  start: number;
  end: number;
  /** Part of a cut of the stretch above, which is the nearest row that is not a part. */
  part: boolean;
  /** Begins another cut of the same stretch than the row above. */
  cut: boolean;
  /** By column. */
  cells: readonly (CellView | DashView)[];
}

export const isCell = (cell: CellView | DashView | undefined): cell is CellView => cell !== undefined && 'kind' in cell;

export interface ClientBlock {
  client: string;
  /** By option: the client's part of its figures. */
  figures: Readonly<Record<string, ClientFigures>>;
  rows: readonly SlotRow[];
}

export interface OptionColumn {
  name: string;
  /** False for a column that only fills up the table. */
  real: boolean;
  figures: OptionFigures | null;
  best: { kept: boolean; changes: boolean; faces: boolean };
}

export interface DateTable {
  date: IsoDate;
  columns: readonly OptionColumn[];
  blocks: readonly ClientBlock[];
}

/** The dates of a proposal, sorted; keys that are not dates are left out. */
export const datesOf = (data: Solutions): IsoDate[] =>
  Object.keys(data)
    .map(parseDate)
    .filter((d) => d !== null)
    .sort();

/** SOL-06: the text to show instead of a table, or null when there is a table. */
export function emptyMessage(data: Solutions | null | undefined, date: string | undefined): string | null {
  if (!data || Object.keys(data).length === 0) return TEXTS.noSolutions;
  if (!date) return TEXTS.noDate;
  return Object.keys(data[date] ?? {}).length === 0 ? TEXTS.noDataForDate : null;
}

/** `Option 1` … in numeric order, across everything the date holds. */
export function optionNames(data: Solutions, date: string): string[] {
  const found = new Set<string>();
  for (const options of Object.values(data[date] ?? {})) for (const name of Object.keys(options)) found.add(name);
  return [...found].sort(compareNames);
}

const FAMILIAR = { team: 'on the team', known: 'known', new: 'new face' } as const;

/** A cell as it is drawn; if it has no minutes of its own, it takes the slot's. */
export function cellView(slot: string, cell: SolutionCell): CellView {
  const times = parseSlot(slot);
  const minutes = cell.minutes ?? (times ? times.end - times.start : 0);
  const kind = kindOf(cell);
  const familiar = cell.familiarity ? `, ${FAMILIAR[cell.familiarity]}` : '';
  const words =
    kind === 'unassigned'
      ? `No therapist, ${duration(minutes)}`
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

/** SOL-04: therapist or status decides; an absent client takes priority over a missing therapist. */
function kindOf(cell: SolutionCell): CellKind {
  if (cell.status === 'Cancel' || cell.therapist === 'Cancel') return 'cancel';
  if (cell.status === UNASSIGNED || cell.therapist === UNASSIGNED) return 'unassigned';
  if (cell.status === 'Cover') return 'cover';
  return cell.status === 'Swap' ? 'swap' : 'scheduled';
}

/** The figures of a proposal's options, from its metadata. */
export type FigureDetails = Pick<ProposalMetadata, 'options' | 'client_figures'>;

/** One date of a proposal as a table. */
export function tableOf(data: Solutions, details: FigureDetails, date: IsoDate): DateTable {
  const figures = details.options[date] ?? {};
  const clients = details.client_figures[date] ?? {};
  const real = optionNames(data, date);
  const filled = [...real];
  for (let n = 1; filled.length < LEAST_COLUMNS; n++) if (!filled.includes(`Option ${n}`)) filled.push(`Option ${n}`);
  const blocks = Object.entries(data[date] ?? {})
    .sort(([a], [b]) => compareNames(a, b))
    .map(([client, options]) => ({
      client,
      figures: clients[client] ?? {},
      rows: rowsOf(options, real, filled),
    }));
  return {
    date,
    columns: columnsOf(filled, new Set(real), figures),
    blocks,
  };
}

/** The cell at an address in the date's table; null if there is none, or only a dash. */
export function cellAt(table: DateTable, at: { client: string; slot: string; option: string }): CellView | null {
  const column = table.columns.findIndex((c) => c.name === at.option);
  const row = table.blocks.find((b) => b.client === at.client)?.rows.find((r) => r.slot === at.slot);
  const cell = row?.cells[column];
  return isCell(cell) ? cell : null;
}

function rowsOf(options: Solutions[string][string], real: readonly string[], columns: readonly string[]): SlotRow[] {
  let stretch = '';
  return orderSlots(options, real).map((row, i, all) => {
    if (!row.part) stretch = row.slot;
    const { slot, start, end, part, rank } = row;
    const above = all[i - 1];
    const cells = columns.map((name) => {
      const slots = options[name] ?? {};
      const cell = slots[slot];
      if (cell) return cellView(slot, cell);
      const whole = part ? slots[stretch] : undefined;
      const others = all.filter((other) => slots[other.slot] && other.subject === row.subject);
      return { dash: dashOf(row, others), over: whole ? kindOf(whole) : null };
    });
    // Parts of another option; if no option takes the stretch whole, a new cut begins where time jumps back.
    const cut = above?.part === part && (part ? above.rank !== rank : start < above.end);
    return { slot, start, end, part, cut, cells };
  });
}

function dashOf(row: OrderedSlot, slots: readonly OrderedSlot[]): DashView['dash'] {
  if (slots.some((s) => s.start <= row.start && row.end <= s.end)) return 'whole';
  return slots.some((s) => s.start < row.end && row.start < s.end) ? 'parts' : 'nothing';
}

/** Boxes the best figure of each kind, unless all are equal. */
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
