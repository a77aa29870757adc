import { plainName } from '@clinic/domain';
import { useEffect, useRef } from 'react';
import type { parseDateWords } from './parse-date-words.ts';
import type { parseWindow } from './parse-window.ts';

/** Something the command palette finds. */
export interface Command {
  id: string;
  label: string;
  /** The command's kind, shown beside the label. Results are grouped by kind. */
  kind: 'Person' | 'Date' | 'Location' | 'Action';
  /** A note after the label, such as a role or a location. */
  hint?: string | undefined;
  keys?: string | undefined;
  /** The person whom the command is for, and its place among theirs. */
  of?: { name: string; at: number };
  /** Whether it changes something, or leads to where only changes are made. */
  writes?: true;
  run: () => void;
}

/** A person whom the palette finds, with what can be done for them. */
export interface FoundPerson {
  readonly name: string;
  readonly type: 'therapist' | 'client';
  readonly hint: string;
  readonly show: () => void;
  /** Marks the person absent or takes the mark back; only where a day is open. */
  readonly mark?: { readonly label: string; readonly run: () => void };
}

/** How the palette reads the typed text, and a person's commands. They are loaded with it. */
export interface TypedReaders {
  readonly date: typeof parseDateWords;
  readonly window: typeof parseWindow;
  readonly person: (person: FoundPerson) => readonly Command[];
}

/** Returns commands. They may depend on the typed text; dates, for example, are read from it. */
export type CommandSource = (typed: string, read: TypedReaders) => readonly Command[];

export const sources = new Set<{ current: CommandSource }>();

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
