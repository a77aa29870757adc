import { dialable, isEmailAddress } from '@clinic/domain';
import { expect, test } from 'vitest';
import { demoContacts } from './contacts.ts';
import { demoPeople } from './people.ts';

test('everyone in the demo clinic has contact details, and no number or address belongs to a real person', () => {
  const people = demoPeople();
  const contacts = demoContacts(people);
  for (const { id } of people.clients) expect(contacts.some((c) => c.client_id === id && c.rank === 1)).toBe(true);
  for (const { id } of people.therapists) expect(contacts.some((c) => c.therapist_id === id)).toBe(true);
  for (const { phone, email } of contacts) {
    expect(dialable(phone)).toMatch(/^\+1\d{3}55501\d{2}$/);
    expect(isEmailAddress(email) && email.endsWith('@example.org'), email).toBe(true);
  }
});
