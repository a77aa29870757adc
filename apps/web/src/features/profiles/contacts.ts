import { contactFaults, type Contact, type ContactWay } from '@clinic/contract';

/** Pure functions that check the contacts typed in a form and put contacts into words. */

/** One contact as typed. The contact to try first comes first in a list. */
export type ContactRow = Omit<Contact, 'dial'>;

export const newContact = (): ContactRow => ({
  name: '',
  relation: '',
  phone: '',
  email: '',
  language: '',
  preferred: '',
});

export const contactRows = ({ contacts = [] }: { contacts?: readonly Contact[] | undefined }): ContactRow[] =>
  contacts.map(({ dial: _, ...row }) => ({ ...row }));

const isBlank = (row: ContactRow): boolean => Object.values(row).every((text) => text.trim() === '');

/** The contacts to send: the rows that are not empty, trimmed. */
export const contactsTyped = (rows: readonly ContactRow[]): ContactRow[] =>
  rows
    .filter((row) => !isBlank(row))
    .map((row) => ({ ...row, name: row.name.trim(), phone: row.phone.trim(), email: row.email.trim() }));

/** What is wrong with one field of a contact, or true if it is valid. An empty row is valid, since it is not sent. */
export function checkContact(row: ContactRow | undefined, field: 'name' | 'phone' | 'email' | 'preferred') {
  if (row === undefined || isBlank(row)) return true;
  if (field === 'name') return row.name.trim() !== '' || 'Name is required';
  const typed = { ...row, phone: row.phone.trim(), email: row.email.trim() };
  return contactFaults(typed).find((fault) => fault.field === field)?.text ?? true;
}

export const WAY_WORDS: Readonly<Record<ContactWay, string>> = {
  phone: 'Telephone',
  text: 'Text message',
  email: 'Email',
};

/** A contact's preferences in words: `Prefers text messages · Spanish`; empty when neither is known. */
export function contactNotes({ preferred, language }: Pick<ContactRow, 'preferred' | 'language'>): string {
  const prefers = { '': '', phone: 'Prefers a call', text: 'Prefers text messages', email: 'Prefers email' }[preferred];
  return [prefers, language].filter(Boolean).join(' · ');
}
