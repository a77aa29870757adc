import type { ClientFigures, Conflict } from '@clinic/contract';
import {
  chosenIn,
  compareText,
  duration,
  hoursFaultWords,
  isoDate,
  overlaps,
  settle,
  shortDate,
  shortList,
  type MixChoices,
  type MixFacts,
  type MixFault,
} from '@clinic/domain';
import { parseSlot, rangeWords } from './slots.ts';
import { piecesOf, type CellView, type DateTable } from './table.ts';

/**
 * Pure functions for a mix of different options for different clients: its totals, and the conflicts between its
 * choices.
 */

type Choice = Readonly<Record<string, string>>;

export type MixFigures = Pick<ClientFigures, 'minutes_needed' | 'minutes_kept' | 'changes' | 'new_faces'>;

/**
 * The figures of a mix, added up over its clients. If the server did not send figures per client, returns the option's
 * own figures when everyone has the same option, and null otherwise.
 */
export function mixFigures(table: DateTable, choice: Choice): MixFigures | null {
  const chosen = table.blocks.map((b) => b.figures[choice[b.client] ?? '']);
  const known = chosen.filter(areComplete);
  if (known.length < chosen.length) {
    const options = new Set(table.blocks.map((b) => choice[b.client]));
    const whole = options.size === 1 ? table.columns.find((c) => options.has(c.name))?.figures : null;
    return areComplete(whole) ? whole : null;
  }
  const sum = (of: (f: MixFigures) => number): number => known.reduce((n, f) => n + of(f), 0);
  return {
    minutes_needed: sum((f) => f.minutes_needed),
    minutes_kept: sum((f) => f.minutes_kept),
    changes: sum((f) => f.changes),
    new_faces: sum((f) => f.new_faces),
  };
}

const areComplete = <F extends Partial<MixFigures>>(f: F | null | undefined): f is F & MixFigures =>
  [f?.minutes_needed, f?.minutes_kept, f?.changes, f?.new_faces].every((each) => each !== undefined);

/** A mix in words: `keeps 21 h of 22 h, 9 changes, 1 new face`. */
export function mixWords(f: MixFigures): string {
  const count = (n: number, one: string, many: string) => `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;
  const changes = `${count(f.changes, 'change', 'changes')}, ${count(f.new_faces, 'new face', 'new faces')}`;
  return `keeps ${duration(f.minutes_kept)} of ${duration(f.minutes_needed)}, ${changes}`;
}

type HoursFault = Extract<MixFault, { kind: 'hours' }>;
type ClashFault = Extract<MixFault, { kind: 'clash' }>;

/** Says in two sentences what is wrong with a mix and which choices cause the conflict. */
export function faultWords(fault: MixFault): { what: string; why: string } {
  switch (fault.kind) {
    case 'clash':
      return clashWords(fault);
    case 'hours':
      return { what: `${hoursFaultWords(fault)}.`, why: `Chosen: ${hoursChoices(fault)}.` };
    case 'unknown': {
      const client = fault.choices[0]?.client ?? '';
      const dates = [...new Set(fault.others.map(({ date }) => shortDate(isoDate(date))))];
      const first = `this choice needs ${fault.therapist} to work with ${client} on ${dates.join(' or ')} first.`;
      return { what: `${fault.therapist} would be new to ${client}:`, why: first };
    }
  }
}

function clashWords({ therapist, from, to, choices }: ClashFault): { what: string; why: string } {
  const [a, b] = choices.map(({ client, option }) => `with ${client} (${option})`);
  return { what: `${therapist} would be in two places from ${rangeWords(from, to)}:`, why: `${a} and ${b}.` };
}

/**
 * The choices by date, with the dates if there are several: `Mo Diaz (Option 1 on Mon, Nov 23), Bo Lee (Option 2 on
 * Wed, Nov 25)`.
 */
function hoursChoices({ date, choices }: HoursFault): string {
  const dated = choices.some((each) => each.date !== date);
  return shortList(
    choices
      .toSorted((a, b) => compareText(a.date, b.date))
      .map((each) => `${each.client} (${each.option}${dated ? ` on ${shortDate(isoDate(each.date))}` : ''})`),
    3,
  );
}

/** Identifies a cell within a date by client, slot and option. */
export const cellKey = (client: string, slot: string, option: string): string => `${client}\n${slot}\n${option}`;

const MARKS = { clash: 'In two places', hours: 'Too many hours', unknown: 'New to client' } as const;

/**
 * Returns the cells to mark for the conflicts between choices, each with what is wrong. For each choice in a conflict,
 * marks the pieces with the conflict's time and therapist. If the choice has no such pieces, marks all its pieces at
 * that time or, failing that, its first piece.
 */
export function faultCells(table: DateTable, faults: readonly MixFault[]): Map<string, string> {
  const marked = new Map<string, string>();
  for (const fault of faults) {
    for (const { date, client, option } of fault.choices) {
      if (date !== table.date) continue;
      const pieces = piecesOf(table, client, option);
      const atThatTime =
        fault.kind === 'clash' ? pieces.filter((p) => overlaps(p, { start: fault.from, end: fault.to })) : pieces;
      const exact = atThatTime.filter((p) => p.therapist === fault.therapist);
      const nearest = fault.kind === 'clash' && atThatTime.length > 0 ? atThatTime : pieces.slice(0, 1);
      for (const piece of exact.length > 0 ? exact : nearest) {
        const key = cellKey(client, piece.slot, option);
        if (!marked.has(key)) marked.set(key, MARKS[fault.kind]);
      }
    }
  }
  return marked;
}

/** The changes that resolve the conflicts of a mix, and whether the newest choice stays. */
export interface Settlement {
  readonly changes: MixChoices;
  readonly keepsNewest: boolean;
}

/**
 * The changes that *Change these too* would make to resolve the conflicts of a mix. The newest choice on this date
 * stays, unless every solution found changes it. Null when no change resolves them.
 */
export function settlement(
  facts: MixFacts,
  choices: MixChoices,
  newest: { date: string; client: string | undefined },
  options: Readonly<Record<string, readonly string[]>>,
): Settlement | null {
  const { date, client } = newest;
  const kept = client !== undefined && chosenIn(choices, { date, client }) !== undefined ? [{ date, client }] : [];
  for (const stays of kept.length > 0 ? [kept, []] : [kept]) {
    const settled = settle(facts, choices, stays, options, 400);
    if (settled) return { changes: settled.changes, keepsNewest: stays === kept };
  }
  return null;
}

/**
 * Says who moves to another option: `Priya Müller moves to Option 2, Yuki Murphy, known to the client`, or for several
 * clients `3 others move: …`.
 */
export function settlementWords(table: DateTable, changes: MixChoices): string {
  const moves = Object.entries(changes).flatMap(([date, clients]) => {
    const when = date === table.date ? '' : ` on ${shortDate(isoDate(date))}`;
    return Object.entries(clients).map(([client, option]) => ({ client, option, to: `${option}${when}`, when }));
  });
  const [first] = moves;
  if (!first) return '';
  if (moves.length > 1) {
    const each = moves.map(({ client, to }) => `${client} to ${to}`);
    return `${moves.length} others move: ${shortList(each, 3)}`;
  }
  const [cell] = first.when === '' ? piecesOf(table, first.client, first.option) : [];
  return `${first.client} moves to ${first.to}${cell ? `, ${cellWords(cell)}` : ''}`;
}

function cellWords(cell: CellView): string {
  if (cell.kind === 'unassigned') return 'part of the session without a therapist';
  if (cell.kind === 'cancel') return 'cancelled';
  const familiar = { team: ', on the team', known: ', known to the client', new: ', new to the client' } as const;
  return `${cell.therapist}${cell.familiarity ? familiar[cell.familiarity] : ''}`;
}

/**
 * Whether a conflict from the server is about this cell: same day, therapist and overlapping time, and the same
 * client if the conflict names one.
 */
export function conflictAbout(conflict: Conflict, date: string, client: string, cell: CellView): boolean {
  if (conflict.date !== date || (conflict.client !== undefined && conflict.client !== client)) return false;
  if (conflict.therapist !== cell.therapist) return false;
  if (conflict.time === cell.slot) return true;
  const a = parseSlot(conflict.time);
  const b = parseSlot(cell.slot);
  return a !== null && b !== null && overlaps(a, b);
}

/** The reason for each cell that no longer fits the calendar, as reported by the server. */
export function conflictCells(table: DateTable, conflicts: readonly Conflict[]): Map<string, string> {
  const marked = new Map<string, string>();
  if (conflicts.length === 0) return marked;
  for (const { client } of table.blocks) {
    for (const { name } of table.columns) {
      for (const piece of piecesOf(table, client, name)) {
        const hit = conflicts.find((c) => conflictAbout(c, table.date, client, piece));
        if (hit) marked.set(cellKey(client, piece.slot, name), hit.why ?? 'No longer possible');
      }
    }
  }
  return marked;
}

/**
 * The clients who need a decision, because their choice conflicts with another one, no longer fits, or leaves time
 * without a therapist.
 */
export function needDecision(
  table: DateTable,
  choice: Choice | undefined,
  faults: readonly MixFault[],
  conflicts: ReadonlyMap<string, string>,
): string[] {
  const causing = faults.flatMap(({ choices }) => choices).filter(({ date }) => date === table.date);
  const clashing = new Set(causing.map(({ client }) => client));
  return table.blocks
    .filter((block) => {
      if (clashing.has(block.client)) return true;
      const option = choice?.[block.client] ?? '';
      return piecesOf(table, block.client, option).some(
        (piece) => piece.kind === 'unassigned' || conflicts.has(cellKey(block.client, piece.slot, option)),
      );
    })
    .map((b) => b.client);
}

/**
 * The first option that leaves less of this client's time without a therapist than `option` does; null if there is
 * none.
 */
export function betterOption(table: DateTable, client: string, option: string): string | null {
  const block = table.blocks.find((b) => b.client === client);
  if (!block) return null;
  const nobody = table.columns.map((c) => block.figures[c.name]?.minutes_uncovered ?? Infinity);
  const now = block.figures[option]?.minutes_uncovered ?? 0;
  const least = nobody.findIndex((n) => n < now);
  return table.columns[least]?.name ?? null;
}
