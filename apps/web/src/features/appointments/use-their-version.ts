import { useState } from 'react';
import { differences, mergeEdits } from '../../shared/edits/merge.ts';
import { isStale } from '../../shared/edits/use-versioned.ts';
import { FORM_LABELS, formOf, type SessionForm, type SessionSource } from './model.ts';

/** Loads a session as it is stored now; null if it is no longer on the calendar's day. */
export type LoadSession = (key: string) => Promise<SessionSource | null>;

/**
 * Keeps what was typed about a session when someone else has saved the session first, and asks which of the two to
 * keep. Without a newer version on this day, the server's own message stays.
 */
export function useTheirVersion(
  base: SessionSource | null,
  form: SessionForm,
  load: LoadSession,
  /** Continues from their version with this form. */
  onTake: (source: SessionSource, form: SessionForm) => void,
) {
  const [theirs, setTheirs] = useState<{ source: SessionSource; again: Again } | null>(null);
  /** Asks if the request failed because of a newer version; `again` repeats the request on top of it. */
  const refused = (error: Error, again: Again): void => {
    if (base === null || !isStale(error)) return;
    load(base.key).then(
      (source) => setTheirs(source && { source, again }),
      () => undefined,
    );
  };
  if (base === null || theirs === null) return { refused, stale: null };
  const [before, now] = [formOf(base), formOf(theirs.source)];
  const take = (taken: SessionForm): void => {
    setTheirs(null);
    onTake(theirs.source, taken);
  };
  const stale = {
    name: `the session with ${base.client}`,
    theirs: differences(before, now, FORM_LABELS),
    mine: differences(before, form, FORM_LABELS),
    onTheirs: () => take(now),
    onMine: () => {
      const merged = mergeEdits(before, form, now);
      take(merged);
      theirs.again(theirs.source, merged);
    },
    onKeep: () => setTheirs(null),
  };
  return { refused, stale };
}

/** Repeats a request for their version of the session. */
export type Again = (source: SessionSource, form: SessionForm) => void;
