import { readDraft, writeDraft } from '../../../shared/session/drafts.ts';
import type { CallDay } from './api/use-calls.ts';

/** A coordinator's notes that are not saved yet, by line. */
export type Notes = Readonly<Record<string, string>>;

/** A list's notes, kept until they are saved, even if the login session ends (AUTH-05). */
interface KeptNotes extends CallDay {
  /** The line on which a note was last written. */
  readonly line: string | null;
  readonly notes: Notes;
}

const DRAFT = 'call-notes';

/** The notes kept for this day's list. */
export function keptNotes({ location, date }: CallDay): KeptNotes {
  const kept = readDraft<KeptNotes>(DRAFT);
  return kept?.location === location && kept.date === date ? kept : { location, date, line: null, notes: {} };
}

/** Keeps a line's note; an empty note is not kept. */
export function keepNote(day: CallDay, line: string, note: string): void {
  const kept = keptNotes(day);
  const notes = withNote(kept.notes, line, note);
  writeDraft(DRAFT, Object.keys(notes).length === 0 ? null : { ...kept, line: note === '' ? kept.line : line, notes });
}

/** Returns the notes with one line's note changed. */
export function withNote(notes: Notes, line: string, note: string): Notes {
  const { [line]: _, ...others } = notes;
  return note === '' ? others : { ...others, [line]: note };
}
