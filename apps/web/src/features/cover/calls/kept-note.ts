import { readDraft, writeDraft } from '../../../shared/session/drafts.ts';
import type { CallDay } from './api/use-calls.ts';

/** The note that a coordinator writes on a line, kept until it is saved, even if the login session ends (AUTH-05). */
export interface KeptNote extends CallDay {
  readonly line: string;
  readonly note: string;
}

const DRAFT = 'call-note';

export const keepNote = (kept: KeptNote): void => writeDraft(DRAFT, kept.note === '' ? null : kept);
export const dropNote = (): void => writeDraft(DRAFT, null);

/** The note kept for this day's list; null if there is none. */
export function keptNote({ location, date }: CallDay): KeptNote | null {
  const kept = readDraft<KeptNote>(DRAFT);
  return kept?.location === location && kept.date === date ? kept : null;
}
