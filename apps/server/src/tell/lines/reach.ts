import { loadContacts } from '../../people/contacts.ts';
import type { Db } from '../../db/connection.ts';
import type { Way } from '../../platform/sending/sender.ts';
import { personKey, type PersonKey } from '../memory/call-day.ts';
import type { Line } from './line.ts';
import { selectOwnPages } from './outbox.queries.ts';

/** How and where to send a person's messages. */
export interface Reach {
  readonly way: Way;
  readonly address: string;
  /** Whether the person can read and answer the change on their own page. */
  readonly ownPage: boolean;
}

const idsOf = (lines: readonly Pick<Line, 'kind' | 'id'>[], kind: Line['kind']): string[] =>
  lines.filter((line) => line.kind === kind).map((line) => line.id);

/** Returns those of these people who prefer to be called. */
export async function preferCalls(
  db: Db,
  lines: readonly Pick<Line, 'kind' | 'id'>[],
): Promise<ReadonlySet<PersonKey>> {
  const found = new Set<PersonKey>();
  for (const kind of ['therapist', 'client'] as const) {
    const ids = idsOf(lines, kind);
    if (ids.length === 0) continue;
    for (const [id, contacts] of await loadContacts(db, kind, ids, null))
      if (contacts.some(({ preferred }) => preferred === 'phone')) found.add(personKey(kind, id));
  }
  return found;
}

/**
 * Finds how to reach the people of these lines: a therapist with an account at the account's email address, anyone else
 * through their first contact that prefers email or text. People who cannot be reached are left out.
 */
export async function reachOf(
  db: Db,
  lines: readonly Pick<Line, 'kind' | 'id'>[],
): Promise<ReadonlyMap<PersonKey, Reach>> {
  const found = new Map<PersonKey, Reach>();
  for (const kind of ['therapist', 'client'] as const)
    for (const [id, contacts] of await loadContacts(db, kind, idsOf(lines, kind), null)) {
      const chosen = contacts.find(({ preferred }) => preferred === 'email' || preferred === 'text');
      if (!chosen) continue;
      const way = chosen.preferred === 'text' ? 'text' : 'email';
      const address = way === 'text' ? (chosen.dial ?? '') : chosen.email;
      if (address !== '') found.set(personKey(kind, id), { way, address, ownPage: false });
    }
  for (const [id, address] of await selectOwnPages(db, idsOf(lines, 'therapist')))
    found.set(personKey('therapist', id), { way: 'email', address, ownPage: true });
  return found;
}
