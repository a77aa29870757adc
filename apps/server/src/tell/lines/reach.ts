import { languageOf, type LanguageCode } from '@clinic/domain';
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
  readonly language: LanguageCode;
}

/** How to reach people, and who would rather be called. */
export interface Reached {
  readonly reach: ReadonlyMap<PersonKey, Reach>;
  readonly toCall: ReadonlySet<PersonKey>;
}

/**
 * Finds how to reach the people of these lines: a therapist with an account at the account's email address, anyone else
 * through their first contact that prefers email or text, in that contact's language. People whom no message can reach are left out.
 */
export async function reachOf(db: Db, lines: readonly Pick<Line, 'kind' | 'id'>[]): Promise<Reached> {
  const reach = new Map<PersonKey, Reach>();
  const toCall = new Set<PersonKey>();
  const languages = new Map<string, LanguageCode>();
  const idsOf = (kind: Line['kind']): string[] => lines.filter((line) => line.kind === kind).map((line) => line.id);
  for (const kind of ['therapist', 'client'] as const)
    for (const [id, contacts] of await loadContacts(db, kind, idsOf(kind), null)) {
      languages.set(id, languageOf(contacts[0]?.language ?? ''));
      if (contacts.some(({ preferred }) => preferred === 'phone')) toCall.add(personKey(kind, id));
      const chosen = contacts.find(({ preferred }) => preferred === 'email' || preferred === 'text');
      if (!chosen) continue;
      const way = chosen.preferred === 'text' ? 'text' : 'email';
      const address = way === 'text' ? (chosen.dial ?? '') : chosen.email;
      const language = languageOf(chosen.language);
      if (address !== '') reach.set(personKey(kind, id), { way, address, ownPage: false, language });
    }
  for (const [id, address] of await selectOwnPages(db, idsOf('therapist')))
    reach.set(personKey('therapist', id), {
      way: 'email',
      address,
      ownPage: true,
      language: languages.get(id) ?? 'en',
    });
  return { reach, toCall };
}
