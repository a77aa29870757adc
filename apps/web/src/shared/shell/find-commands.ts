import { compareNames } from '@clinic/domain';
import { isReader } from '../session/manages-clinic.ts';
import { fit, sources, type Command, type TypedReaders } from './commands.ts';
import { parseDateWords } from './parse-date-words.ts';
import { parseWindow } from './parse-window.ts';
import { personCommands } from './person-commands.ts';

const READERS: TypedReaders = { date: parseDateWords, window: parseWindow, person: personCommands };

/** The order of kinds while nothing is typed: actions before locations. */
const ORDER: Record<Command['kind'], number> = { Person: 0, Date: 0, Action: 1, Location: 2 };

/** The best matches for the typed text, no more than `most`. */
export function findCommands(typed: string, most = 40, more: readonly Command[] = []): Command[] {
  // Commands with a shortcut come first, so that a command listed both with and without its key is shown with the key.
  const all = [...more, ...[...sources].flatMap((source) => source.current(typed, READERS))].filter(
    ({ writes }) => !(writes && isReader()),
  );
  const scored = all.map((command) => ({ command, score: 0 }));
  for (const entry of scored)
    entry.score = entry.command.kind === 'Date' ? -1 : fit(`${entry.command.label} ${entry.command.hint ?? ''}`, typed);
  const seen = new Set<string>();
  const isNew = ({ id, kind, label }: Command): boolean => {
    const same = kind === 'Action' ? `action:${label.toLowerCase()}` : id;
    return !seen.has(same) && seen.add(same).has(same);
  };
  return scored
    .filter((entry) => entry.score < Infinity && isNew(entry.command))
    .sort(
      (a, b) =>
        a.score - b.score ||
        (typed === '' ? ORDER[a.command.kind] - ORDER[b.command.kind] : 0) ||
        compareNames(a.command.of?.name ?? a.command.label, b.command.of?.name ?? b.command.label) ||
        (a.command.of?.at ?? 0) - (b.command.of?.at ?? 0),
    )
    .slice(0, most)
    .map((entry) => entry.command);
}
