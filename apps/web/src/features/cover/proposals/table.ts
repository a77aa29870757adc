import type { ClientFigures, OfferedCell, OfferedOptions, ProposalMetadata } from '@clinic/contract';
import { TEXTS, UNASSIGNED } from '@clinic/contract';
import { compareNames, duration, nameKey, overlaps, parseDate, type Interval, type IsoDate } from '@clinic/domain';
import type { ShownFigures, ShownOptions } from '../../../shared/api/whole-proposal.ts';
import { parseSlot, sessionsOf } from './slots.ts';

/** Pure functions that turn a proposal's nested records from the server into a sorted table, ready to render. */

/**
 * The table has at least this many columns (SOL-03); columns without an option hold dashes. While options are still
 * being found, it has room for all of them: the options that arrive must not make a column narrower, since a click on
 * the column could then meet another option. When time ran out, the next column says so.
 */
const LEAST_COLUMNS = 3;
const MOST_COLUMNS = 5;
export type RoomFor = 'all' | 'next' | 'found';

const NO_THERAPIST = 'no therapist';

export type CellKind = 'scheduled' | 'cover' | 'swap' | 'cancel' | 'unassigned';

/** A piece of a session in one option; often the piece is the whole session. */
export interface CellView extends Interval {
  /** The slot's key in the options, which is sent back to the server. */
  slot: string;
  therapist: string;
  kind: CellKind;
  /** The words beside the therapist: `Cover, team`; without a therapist, the piece's length. */
  words: string;
  minutes: number;
  /** What else is said of the piece, already part of its words: `starts 15 min late`. */
  note: string | null;
  familiarity: OfferedCell['familiarity'];
  /** The booked therapist; null when there is none or the reply does not name one. */
  from: string | null;
  /**
   * The therapist from an earlier commit, if this option gives the session to someone else. People may have been told
   * to expect the earlier therapist.
   */
  was: string | null;
}

/** A client's session, with its pieces in every option. If its times could not be read, it takes no time. */
export interface SessionRow extends Interval {
  /** An id that is unique among the client's sessions. */
  id: string;
  slot: string;
  /**
   * The booked therapist in words, after the subject if it differs, when another of the client's sessions is at the same
   * time, as with two therapists or a supervision; otherwise null.
   */
  whose: string | null;
  /** For each column, the session's pieces in that option, by time. */
  cells: readonly (readonly CellView[])[];
}

export interface ClientBlock {
  client: string;
  /** The client's part of each option's figures, by option. */
  figures: Readonly<Record<string, ClientFigures>>;
  rows: readonly SessionRow[];
}

export interface OptionColumn {
  name: string;
  /** False for a column that has no option and only fills up the table. */
  real: boolean;
  figures: ShownFigures | null;
}

export interface DateTable {
  date: IsoDate;
  columns: readonly OptionColumn[];
  blocks: readonly ClientBlock[];
  /** How many clients the blocks are about; a group's block is about several. */
  clients: number;
}

/** How many clients the options of a date are about. */
export const clientCount = (
  data: OfferedOptions,
  { clients }: Pick<ProposalMetadata, 'clients'>,
  date: string,
): number => clients?.[date] ?? Object.keys(data[date] ?? {}).length;

/** The sessions for which at least one option would change the submitted therapist. */
export const changedAgain = ({ blocks }: DateTable): SessionRow[] =>
  blocks.flatMap((block) => block.rows.filter((row) => row.cells.flat().some((piece) => piece.was !== null)));

/** Returns the keys that are dates, sorted. */
export const datesOf = (data: Readonly<Record<string, unknown>>): IsoDate[] =>
  Object.keys(data)
    .map(parseDate)
    .filter((d) => d !== null)
    .sort();

/** The text to show when there is no table (SOL-06); null when there is one. */
export function emptyMessage(data: OfferedOptions | null | undefined, date: string | undefined): string | null {
  if (!data || Object.keys(data).length === 0) return TEXTS.noOptions;
  if (!date) return TEXTS.noDate;
  return Object.keys(data[date] ?? {}).length === 0 ? TEXTS.noDataForDate : null;
}

/** The names of all the date's options, in numeric order: `Option 1` … */
export function optionNames(data: OfferedOptions, date: string): string[] {
  const found = new Set<string>();
  for (const options of Object.values(data[date] ?? {})) for (const name of Object.keys(options)) found.add(name);
  return [...found].sort(compareNames);
}

const FAMILIAR = { team: 'team', known: 'known', new: 'new face' } as const;

/** Prepares a cell for rendering. A cell without minutes gets the length of its slot. */
export function cellView(slot: string, cell: OfferedCell): CellView {
  const times = parseSlot(slot);
  const minutes = cell.minutes ?? (times ? times.end - times.start : 0);
  const kind = kindOf(cell);
  const told = cell.note ?? (cell.familiarity && FAMILIAR[cell.familiarity]);
  // The column says *Unassigned* already; any other word is shown as it came.
  const status =
    kind === 'unassigned' && is(cell.therapist, UNASSIGNED) && is(cell.status, UNASSIGNED) ? '' : cell.status;
  const words =
    kind === 'unassigned'
      ? [status, cell.note ?? (minutes > 0 ? duration(minutes) : '')].filter((word) => word !== '').join(', ')
      : kind === 'cover' || kind === 'swap'
        ? [status, ...(told ? [told] : [])].join(', ')
        : status;
  return {
    slot,
    start: times?.start ?? 0,
    end: times?.end ?? 0,
    therapist: cell.therapist,
    kind,
    words,
    minutes,
    note: cell.note ?? null,
    familiarity: cell.familiarity,
    from: cell.from ?? null,
    was: cell.again ? (cell.from ?? NO_THERAPIST) : null,
  };
}

/** A cell's kind, from its therapist or status (SOL-04). An absent client takes precedence over a missing therapist. */
function kindOf({ status, therapist }: OfferedCell): CellKind {
  if (is(status, 'Cancel') || is(therapist, 'Cancel')) return 'cancel';
  if (is(status, UNASSIGNED) || is(therapist, UNASSIGNED)) return 'unassigned';
  if (is(status, 'Cover')) return 'cover';
  return is(status, 'Swap') ? 'swap' : 'scheduled';
}

/** Whether a word is this one, in any letter case. */
export const is = (word: string, wanted: string): boolean => nameKey(word) === nameKey(wanted);

/** The parts of a proposal's metadata that hold figures. */
export type FigureDetails = Pick<ProposalMetadata, 'client_figures' | 'clients'> & { options: ShownOptions };

/** One date of a proposal as a table. */
export function tableOf(
  data: OfferedOptions,
  details: FigureDetails,
  date: IsoDate,
  room: RoomFor = 'found',
): DateTable {
  const figures = details.options[date] ?? {};
  const clients = details.client_figures[date] ?? {};
  const real = optionNames(data, date);
  const filled = [...real];
  const next = room === 'next' ? Math.min(MOST_COLUMNS, real.length + 1) : 0;
  const least = room === 'all' ? MOST_COLUMNS : Math.max(LEAST_COLUMNS, next);
  for (let n = 1; filled.length < least; n++) if (!filled.includes(`Option ${n}`)) filled.push(`Option ${n}`);
  const blocks = Object.entries(data[date] ?? {})
    .sort(([a], [b]) => compareNames(a, b))
    .map(([client, options]) => ({
      client,
      figures: clients[client] ?? {},
      rows: rowsOf(options, real, filled),
    }));
  const columns = filled.map((name) => {
    const isReal = real.includes(name);
    return { name, real: isReal, figures: isReal ? (figures[name] ?? null) : null };
  });
  return { date, columns, blocks, clients: clientCount(data, details, date) };
}

/** A client's pieces in an option, sorted by time. */
export function piecesOf(table: DateTable, client: string, option: string): CellView[] {
  const column = table.columns.findIndex((c) => c.name === option);
  const rows = table.blocks.find((b) => b.client === client)?.rows ?? [];
  return rows.flatMap((row) => row.cells[column] ?? []);
}

/** A client's session in one option. `row` is the session's id. */
export interface CellPlace {
  client: string;
  row: string;
  option: string;
}

/** The session's pieces in this option; empty if the table no longer has the session or the option. */
export function piecesAt(table: DateTable, { client, row, option }: CellPlace): readonly CellView[] {
  const column = table.columns.findIndex((c) => c.name === option);
  const rows = table.blocks.find((block) => block.client === client)?.rows;
  return rows?.find(({ id }) => id === row)?.cells[column] ?? [];
}

function rowsOf(
  options: OfferedOptions[string][string],
  real: readonly string[],
  columns: readonly string[],
): SessionRow[] {
  const sessions = sessionsOf(options, real).map((session) => {
    const [cell] = real.flatMap((name) => session.slots.flatMap((key) => options[name]?.[key] ?? []));
    return { ...session, subject: cell?.subject ?? '', booked: cell?.from ?? NO_THERAPIST };
  });
  // A client whose sessions could not be read is still in the table.
  if (sessions.length === 0) return [{ id: '', slot: '', start: 0, end: 0, whose: null, cells: columns.map(() => []) }];
  return sessions.map((session) => {
    const { id, slot, start, end, slots, subject, booked } = session;
    const cells = columns.map((name) =>
      slots.flatMap((key) => {
        const cell = options[name]?.[key];
        return cell ? [cellView(key, cell)] : [];
      }),
    );
    const beside = sessions.filter((other) => other !== session && overlaps(other, session));
    const isNamed =
      subject !== '' && !slot.endsWith(`(${subject})`) && beside.some((other) => other.subject !== subject);
    const words = [...(isNamed ? [subject] : []), `with ${booked}`].join(', ');
    return { id, slot, start, end, whose: beside.length === 0 ? null : words, cells };
  });
}
