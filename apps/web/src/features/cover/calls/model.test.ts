import { expect, test } from 'vitest';
import type { CallLine, Contact } from '@clinic/contract';
import { contactWords, currentLine, headWords, lineKey } from './model.ts';

const contact = (given: Partial<Contact>): Contact => ({
  name: '',
  relation: '',
  phone: '407 555 0100',
  dial: '+14075550100',
  email: '',
  language: '',
  preferred: '',
  ...given,
});

test('a family’s contact is shown with name and relation; a therapist’s own number is shown without either', () => {
  const mother = contact({ name: 'Maria López', relation: 'Mother', preferred: 'text', language: 'Spanish' });
  expect(contactWords(mother, { name: 'Bo Lee' })).toBe('Maria López, Mother, prefers a text, speaks Spanish');
  const kai = { name: 'Kai Wood' };
  expect(contactWords(contact({ name: 'Kai Wood', preferred: 'text' }), kai)).toBe('prefers a text');
  expect(contactWords(contact({ name: 'K. Wood', relation: 'Self' }), kai)).toBe('');
  expect(contactWords(contact({ name: 'Jo Wood', relation: 'Husband' }), kai)).toBe('Jo Wood, Husband');
});

test('an empty call list says that there is no one to tell only if its day’s calls have been opened', () => {
  const empty = { lines: [], told: [], sheet: null };
  expect(headWords({ ...empty, open: true })).toMatchObject({ title: 'No one to tell' });
  expect(headWords({ ...empty, open: false })).toEqual({
    count: 0,
    title: 'Nothing listed yet',
    text: 'No one has been told about this day.',
  });
});

const lineOf = (id: string): CallLine => ({
  kind: 'client',
  id,
  name: id,
  call: 'family',
  version: '',
  first: '08:00',
  urgent: false,
  here: false,
  say: [],
  again: null,
  sessions: [],
  waits_for: [],
  ring_by: null,
  answers: [],
  contacts: [],
  message: null,
  seen_at: null,
  ringing: null,
});

test('when the current line leaves the list, the next line becomes current only if the coordinator’s own act took it off', () => {
  const [ana, bo, cal] = [lineOf('ana'), lineOf('bo'), lineOf('cal')];
  const before = [ana, bo, cal].map(lineKey);
  const after = (lines: CallLine[], own: string[]) => currentLine(lines, lineKey(bo), before, new Set(own))?.id;
  expect(after([ana, cal], [lineKey(bo)])).toBe('cal');
  expect(after([ana], [lineKey(bo)])).toBe('ana');
  expect(after([ana, cal], [])).toBeUndefined();
  expect(after([ana, cal], [lineKey(ana)])).toBeUndefined();
  expect(after([cal, bo], [])).toBe('bo');
  expect(currentLine([ana, bo], null, [], new Set())?.id).toBe('ana');
});
