import { contactFaults, type Contact, type ContactWay } from '@clinic/contract';

/** A person's contacts: as a form's rows, checked, and in words. Pure. */

/** One contact as typed; the rows' order is the order in which to try them. */
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

/** What is sent: the rows in which something was typed. */
export const contactsTyped = (rows: readonly ContactRow[]): ContactRow[] =>
  rows
    .filter((row) => !isBlank(row))
    .map((row) => ({ ...row, name: row.name.trim(), phone: row.phone.trim(), email: row.email.trim() }));

/** What is wrong with a field of a row, or true. A row in which nothing was typed is fine: it is not sent. */
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

/** `Prefers text messages · Spanish`; empty when nothing of it is known. */
export function contactNotes({ preferred, language }: Pick<ContactRow, 'preferred' | 'language'>): string {
  const prefers = { '': '', phone: 'Prefers a call', text: 'Prefers text messages', email: 'Prefers email' }[preferred];
  return [prefers, language].filter(Boolean).join(' · ');
}
