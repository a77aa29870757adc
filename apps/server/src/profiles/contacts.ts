import type { Contact, contactSchema } from '@clinic/contract';
import type * as z from 'zod/mini';
import type { PersonKind } from '@clinic/domain';
import { loadContacts } from '../people/contacts.ts';
import { profileList, type ProfileList } from './profile-list.ts';

type SentContact = z.output<typeof contactSchema>;

/**
 * The list of contacts in a therapist's or client's profile. Everyone who may read the profile may read its contacts.
 */
export const contactsOf = (kind: PersonKind): ProfileList<SentContact, Contact> => {
  const owner = `${kind}_id` as const;
  return profileList({
    select: (db, ids) => loadContacts(db, kind, ids, null),
    present: (contact: Contact) => contact,
    toStore: (sent: readonly SentContact[]) => sent,
    inLists: false,
    keyOf: (list) =>
      JSON.stringify(
        list.map(({ name, relation, phone, email, language, preferred }) => [
          name,
          relation,
          phone,
          email,
          language,
          preferred,
        ]),
      ),
    table: 'contact',
    owner,
    rowOf: (contact, id, i) => ({ client_id: null, therapist_id: null, [owner]: id, rank: i + 1, ...contact }),
  });
};
