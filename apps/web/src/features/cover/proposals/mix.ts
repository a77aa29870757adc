import type { ClientFigures, Conflict } from '@clinic/contract';
import { duration, findClashes, shortList, settle, type Clash, type ClaimsByClient } from '@clinic/domain';
import { parseSlot, rangeWords } from './slots.ts';
import { piecesOf, type CellView, type DateTable } from './table.ts';

/** Pure functions for a mix of different options for different clients: its totals and its clashes. */

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

export const clashesOf = (claims: ClaimsByClient | undefined, choice: Choice | undefined): Clash[] =>
  claims && choice ? findClashes(claims, choice) : [];

/** A clash in words: what would go wrong, and between which clients. */
export function clashWords(clash: Clash): { what: string; between: string } {
  const [a, b] = clash.clients;
  return {
    what: `${clash.therapist} would be in two places from ${rangeWords(clash.from, clash.to)}:`,
    between: `with ${a} (${clash.options[0]}) and with ${b} (${clash.options[1]}).`,
  };
}

/** Identifies a cell within a date by client, slot and option. */
export const cellKey = (client: string, slot: string, option: string): string => `${client}\n${slot}\n${option}`;

/**
 * The cells to mark for each clash, at least one for each of its two clients. In the client's chosen option, these are
 * the pieces with the clash's time and therapist, or else all pieces at its time, or else the first piece.
 */
export function clashCells(table: DateTable, clashes: readonly Clash[]): Set<string> {
  const marked = new Set<string>();
  for (const clash of clashes) {
    clash.clients.forEach((client, i) => {
      const option = clash.options[i] ?? '';
      const pieces = piecesOf(table, client, option);
      const atThatTime = pieces.filter((p) => p.start < clash.to && clash.from < p.end);
      const exact = atThatTime.filter((p) => p.therapist === clash.therapist);
      const shown = exact.length > 0 ? exact : atThatTime.length > 0 ? atThatTime : pieces.slice(0, 1);
      for (const piece of shown) marked.add(cellKey(client, piece.slot, option));
    });
  }
  return marked;
}

/**
 * The changes that *Change these too* would make to settle a clash without touching the newest choice. Null when no
 * change settles it.
 */
export function settlement(
  claims: ClaimsByClient,
  choice: Choice,
  last: string | undefined,
  options: readonly string[],
): Record<string, string> | null {
  const kept = last !== undefined && choice[last] !== undefined ? [last] : [];
  return settle(claims, choice, kept, options, 400)?.changes ?? null;
}

/**
 * Says who moves to another option: `Priya Müller moves to Option 2, Yuki Murphy, known`, or for several clients `3
 * others move: …`.
 */
export function settlementWords(table: DateTable, changes: Readonly<Record<string, string>>): string {
  const entries = Object.entries(changes);
  const [first] = entries;
  if (!first) return '';
  if (entries.length > 1) {
    const moves = entries.map(([client, option]) => `${client} to ${option}`);
    return `${entries.length} others move: ${shortList(moves, 3)}`;
  }
  const [client, option] = first;
  const [cell] = piecesOf(table, client, option);
  return `${client} moves to ${option}${cell ? `, ${cellWords(cell)}` : ''}`;
}

function cellWords(cell: CellView): string {
  if (cell.kind === 'unassigned') return 'part of the session without a therapist';
  if (cell.kind === 'cancel') return 'cancelled';
  const familiar = { team: ', on the team', known: ', known', new: ', new face' } as const;
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
  return a !== null && b !== null && a.start < b.end && b.start < a.end;
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
 * The clients who need a decision, because their choice clashes, no longer fits, or leaves time without a therapist.
 */
export function needDecision(
  table: DateTable,
  choice: Choice | undefined,
  clashes: readonly Clash[],
  conflicts: ReadonlyMap<string, string>,
): string[] {
  const clashing = new Set(clashes.flatMap((c) => c.clients));
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
