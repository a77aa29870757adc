import { contactFaults, type ContactWay } from '@clinic/contract';
import { keysOf } from '@clinic/domain';
import { parseLine, parseName, quote, tidy } from '../rows/fields.ts';
import type { ImportedContact } from '../import-types.ts';

/** A client or therapist row can have up to three contacts, with these numbers. */
export const CONTACTS = [1, 2, 3] as const;
export type Field = 'name' | 'relation' | 'phone' | 'email' | 'language' | 'preferred';

/** How exports name each field, after a prefix such as `Contact 1` or `Parent/Guardian 1`. */
const WORDS: Readonly<Record<Field, readonly string[]>> = {
  name: ['Name'],
  relation: ['Relation', 'Relationship'],
  phone: ['Phone', 'Phone Number', 'Telephone', 'Cell', 'Cell Phone', 'Mobile', 'Mobile Phone'],
  email: ['Email', 'Email Address'],
  language: ['Language', 'Preferred Language'],
  preferred: ['Preferred Contact', 'Preferred Contact Method', 'Preferred Way'],
};
export const CONTACT_FIELDS = keysOf(WORDS);
const OWNERS = ['Contact', 'Parent/Guardian', 'Parent', 'Guardian', 'Emergency Contact'];
/** The names that a field may have without a prefix; these columns belong to the first contact. */
const bare = (field: Field): string[] => (field === 'name' ? [] : [...WORDS[field]]);

export const columnOf = (n: number, field: Field): string => `contact_${n}_${field}`;

/** The optional contact columns, each with the other names that exports use for it. */
export const CONTACT_COLUMNS = CONTACTS.flatMap((n) =>
  CONTACT_FIELDS.map((field) => ({
    name: columnOf(n, field),
    optional: true as const,
    also: [
      ...OWNERS.flatMap((owner) => WORDS[field].map((word) => `${owner} ${n} ${word}`)),
      ...(n === 1
        ? [...OWNERS.flatMap((owner) => WORDS[field].map((word) => `${owner} ${word}`)), ...bare(field)]
        : []),
    ],
  })),
);

const WAYS: readonly (readonly [RegExp, ContactWay])[] = [
  [/text|sms/i, 'text'],
  [/e-?mail/i, 'email'],
  [/phone|call|cell|mobile/i, 'phone'],
];

/**
 * Reads a row's contacts, with a note for each value that cannot be read. Such a value is left out, and the row is
 * still imported. `contacts` is null if all contact columns are empty; the stored contacts then stay.
 * @param self the person's own name, for a contact without a name
 */
export function readContacts(
  cell: (name: string) => string,
  self: string,
): { contacts: ImportedContact[] | null; notes: string[] } {
  const notes: string[] = [];
  const contacts = CONTACTS.flatMap((n) => {
    const of = (field: Field) => tidy(cell(columnOf(n, field)));
    const given = CONTACT_FIELDS.filter((field) => of(field) !== '');
    if (given.length === 0) return [];
    const name = parseName(of('name'), 120) ?? '';
    const contact: ImportedContact = {
      name: name === '' ? self : name,
      relation: parseLine(of('relation'), 60),
      phone: parseLine(of('phone'), 60),
      email: of('email'),
      language: parseLine(of('language'), 60),
      preferred: WAYS.find(([words]) => words.test(of('preferred')))?.[1] ?? '',
    };
    if (of('preferred') !== '' && contact.preferred === '')
      notes.push(`the preferred contact method ${quote(of('preferred'))} of contact ${n} was left out`);
    for (const { field, text } of contactFaults(contact)) {
      const value = field === 'preferred' ? of('preferred') : contact[field];
      notes.push(`the ${LABELS[field]} ${quote(value)} of contact ${n} was left out: ${text}`);
      contact[field] = '';
    }
    if (contactFaults(contact).length > 0) contact.preferred = ''; // the preferred number or address was left out above
    return contact.phone === '' && contact.email === '' && name === '' ? [] : [contact];
  });
  return { contacts: contacts.length > 0 ? contacts : null, notes };
}

const LABELS = { phone: 'telephone number', email: 'email address', preferred: 'preferred contact method' } as const;
