import { compareNames, plainName } from '@clinic/domain';
import { useEffect, useRef } from 'react';

/** Something the command palette finds. */
export interface Command {
  id: string;
  label: string;
  /** The command's kind, shown beside the label. Results are grouped by kind. */
  kind: 'Person' | 'Date' | 'Location' | 'Action';
  /** A note after the label, such as a role or a location. */
  hint?: string | undefined;
  keys?: string | undefined;
  run: () => void;
}

/** Returns commands. They may depend on the typed text; dates, for example, are read from it. */
export type CommandSource = (typed: string) => readonly Command[];

const sources = new Set<{ current: CommandSource }>();

/** Adds commands to the palette while the component is mounted. */
export function useCommands(source: CommandSource): void {
  const ref = useRef(source);
  useEffect(() => {
    ref.current = source;
  });
  useEffect(() => {
    sources.add(ref);
    return () => void sources.delete(ref);
  }, []);
}

/** The order of kinds while nothing is typed: actions before locations. */
const ORDER: Record<Command['kind'], number> = { Person: 0, Date: 0, Action: 1, Location: 2 };

/**
 * How well a label matches the typed text: lower is better, Infinity is no match. Every typed word must begin a word
 * of the label or, if it has at least three letters, appear somewhere in the label.
 */
export function fit(label: string, typed: string): number {
  const wanted = plainName(typed).split(/\s+/).filter(Boolean);
  const words = plainName(label).split(/[\s-]+/);
  let score = 0;
  for (const part of wanted) {
    const at = words.findIndex((word) => word.startsWith(part));
    if (at >= 0) score += at;
    else if (part.length > 2 && plainName(label).includes(part)) score += 10;
    else return Infinity;
  }
  return score;
}

/** The best matches for the typed text, no more than `most`. */
export function findCommands(typed: string, most = 30, more: readonly Command[] = []): Command[] {
  // Commands with a shortcut come first, so that a command listed both with and without its key is shown with the key.
  const all = [...more, ...[...sources].flatMap((source) => source.current(typed))];
  const found = all.map((command) => ({ command, score: 0 }));
  for (const entry of found)
    entry.score = entry.command.kind === 'Date' ? -1 : fit(`${entry.command.label} ${entry.command.hint ?? ''}`, typed);
  const seen = new Set<string>();
  const isNew = ({ id, kind, label }: Command): boolean => {
    const same = kind === 'Action' ? `action:${label.toLowerCase()}` : id;
    return !seen.has(same) && seen.add(same).has(same);
  };
  return found
    .filter((entry) => entry.score < Infinity && isNew(entry.command))
    .sort(
      (a, b) =>
        a.score - b.score ||
        (typed === '' ? ORDER[a.command.kind] - ORDER[b.command.kind] : 0) ||
        compareNames(a.command.label, b.command.label),
    )
    .slice(0, most)
    .map((entry) => entry.command);
}
