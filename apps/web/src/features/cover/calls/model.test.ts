import { expect, test } from 'vitest';
import type { CallLine, Contact } from '@clinic/contract';
import {
  beforeYesWords,
  cancelableIn,
  contactWords,
  currentLine,
  headWords,
  isBeforeYes,
  isTrouble,
  lineKey,
  needsPlan,
  noChoices,
  progressOf,
  resultWords,
  ringWords,
  sameNumberWords,
  toldNote,
  waitWords,
} from './model.ts';
import { lineOf } from '../../../testing/call-line.ts';

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

test('a message with a fault needs attention, unless it was dropped before it was sent', () => {
  const message = { way: 'email', at: '', fault: 'The address does not exist.' } as const;
  expect(isTrouble({ ...message, state: 'failed' })).toBe(true);
  expect(isTrouble({ ...message, state: 'dropped' })).toBe(false);
  expect(isTrouble({ ...message, state: 'sent', fault: null })).toBe(false);
});

test('given a day whose calls have not begun, its empty list does not say that there is no one to tell', () => {
  const empty = { date: '2026-11-20', now: '2026-11-20T23:59:00', lines: [], told: [], sheet: null };
  expect(headWords({ ...empty, open: true })).toMatchObject({ title: 'No one to tell' });
  expect(headWords({ ...empty, open: false })).toEqual({
    count: 0,
    title: 'Nothing listed yet',
    text: 'No one has been told about this day.',
  });
});

test('once the day is over at the clinic, an empty list does not say that everyone has been told', () => {
  const ana = {
    kind: 'therapist',
    id: 'ana',
    name: 'Ana',
    result: '1',
    answer: 'told',
    at: '',
    by: '',
    note: null,
    ring_by: null,
    own_page: false,
    taken_back: false,
    dropped: null,
  } as const;
  const day = { date: '2026-11-20', lines: [], sheet: null, open: true };
  expect(headWords({ ...day, told: [ana], now: '2026-11-20T23:59:00' }).title).toBe('Everyone has been told');
  const over = headWords({ ...day, told: [ana], now: '2026-11-21T00:00:00' });
  expect(over).toEqual({ count: 0, title: 'This day is over', text: '1 person was told.' });
  expect(headWords({ ...day, told: [], now: '2026-11-21T00:00:00' }).text).toBe('No one was told.');
  expect(headWords({ ...day, told: [], lines: [lineOf('bo')], now: '2026-11-21T00:00:00' }).count).toBe(1);
});

test('given a promise to ring again, the list of those told names it once, beside the note', () => {
  const by = '09:30';
  expect(toldNote({ note: null, ring_by: null })).toBe('');
  expect(toldNote({ note: 'at work', ring_by: null })).toBe(': at work');
  expect(toldNote({ note: null, ring_by: by })).toBe(': we ring again by 9:30 AM');
  expect(toldNote({ note: ringWords(by), ring_by: by })).toBe(': we ring again by 9:30 AM');
  expect(toldNote({ note: 'at work', ring_by: by })).toBe(': at work; we ring again by 9:30 AM');
});

test('when the current line leaves the list, the next line becomes current only if the coordinator’s own action removed it', () => {
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

test('a therapist can say no to a group session only as a whole, but to several sessions one by one', () => {
  const session = (key: string, name: string, start: string, end: string): CallLine['sessions'][number] => {
    return { key, version: 1, start, end, has_therapist: true, with: { id: key, name } };
  };
  const group = [session('mo', 'Mo Diaz', '09:00', '11:00'), session('bo', 'Bo Lee', '09:00', '11:00')];
  const choices = (sessions: CallLine['sessions']) =>
    noChoices({ ...lineOf('kai'), kind: 'therapist', call: 'ask', sessions }).map(({ label }) => label);
  expect(choices(group)).toEqual(['For this session', 'For today']);
  const more = [...group, session('ida', 'Ida Fox', '13:00', '14:00')];
  const [all, only] = noChoices({ ...lineOf('kai'), kind: 'therapist', sessions: more });
  expect(choices(more)).toEqual([
    'For these 2 sessions',
    'Only Bo Lee and Mo Diaz 9:00 to 11:00',
    'Only Ida Fox 1:00 to 2:00',
    'For today',
  ]);
  expect(all?.act).toEqual({ do: 'say', no: { scope: 'session' } });
  expect(only?.act).toEqual({ do: 'say', no: { scope: 'session', sessions: ['mo', 'bo'] } });
});

test('given a child with two therapists at one time, the family cancels that time once', () => {
  const seat = (key: string, start: string, has = true) => {
    const other = has ? { id: key, name: key } : null;
    return { key, version: 1, start, end: '11:00', has_therapist: has, with: other };
  };
  const sessions = [seat('ana', '09:00'), seat('lin', '09:00'), seat('kai', '10:00')];
  const keys = cancelableIn(sessions).map((together) => together.map(({ key }) => key));
  expect(keys).toEqual([['ana', 'lin'], ['kai']]);
  const [both, other] = noChoices({ ...lineOf('bo'), kind: 'client', sessions });
  expect([both, other].map((choice) => choice?.label)).toEqual([
    'Rather cancel 9:00 to 11:00',
    'Rather cancel 10:00 to 11:00',
  ]);
  expect(both?.act).toEqual({ do: 'cancel', sessions: sessions.slice(0, 2) });
  expect(cancelableIn([seat('ana', '09:00'), seat('lin', '09:00', false)])).toHaveLength(2);
});

test('given siblings with one telephone number, each line names the other family; people without a number share none', () => {
  const reached = (id: string, dial: string | null, kind: CallLine['kind'] = 'client'): CallLine => {
    return { ...lineOf(id), kind, contacts: [contact({ dial }), contact({ dial: null })] };
  };
  const bo = reached('Bo Lee', '+14075550100');
  const lines = [bo, reached('Ida Lee', '+14075550100'), reached('Mo Diaz', null), reached('Eve Fox', '+14075550199')];
  expect(lines.map((line) => sameNumberWords(line, lines))).toEqual([
    'same number: Family of Ida Lee',
    'same number: Family of Bo Lee',
    null,
    null,
  ]);
  const [first, ...others] = ['Bo', 'Cal', 'Dee', 'Eve', 'Fay', 'Gus'].map((id) => reached(id, '+14075550100'));
  expect(first && sameNumberWords(first, others)).toBe(
    'same number: Family of Cal, Family of Dee, Family of Eve and 2 more',
  );
  const kai = reached('Kai Wood', '+14075550100', 'therapist');
  expect([sameNumberWords(kai, [bo, kai]), sameNumberWords(bo, [bo, kai])]).toEqual([null, null]);
});

test('a line waits for a new plan after a no, and no longer once the no is taken back', () => {
  const no = {
    result: '4',
    answer: 'said-no',
    at: '',
    by: 'Dana',
    note: null,
    ring_by: null,
    own_page: false,
  } as const;
  const line = (taken_back: boolean): CallLine => ({ ...lineOf('kai'), answers: [{ ...no, taken_back }] });
  expect([needsPlan(line(false)), needsPlan(line(true))]).toEqual([true, false]);
  expect([resultWords({ ...no, taken_back: false }), resultWords({ ...no, taken_back: true })]).toEqual([
    'said no',
    'said no, taken back',
  ]);
});

test('a line that hangs on a yes says whose, and a result that says more than the person should know asks first', () => {
  const waiting = { ...lineOf('Kenji'), after: [{ id: 'y', name: 'Yuki' }] };
  expect(waitWords(lineOf('Bo'))).toBeNull();
  expect(waitWords(waiting)).toBe('after Yuki says yes');
  expect(waitWords({ ...waiting, after: [...waiting.after, { id: 'o', name: 'Omar' }] })).toBe(
    'after Yuki and Omar say yes',
  );
  expect(waitWords({ ...waiting, waits_for: ['Yuki Sato said no at 7:12'] })).toBeNull();
  const asks = (['told', 'left-message', 'no-answer', 'said-no', 'not-told'] as const).filter((answer) =>
    isBeforeYes(waiting, answer),
  );
  expect(asks).toEqual(['told', 'left-message']);
  expect(isBeforeYes(lineOf('Bo'), 'told')).toBe(false);
  expect(beforeYesWords(waiting)).toBe(
    'Yuki has not said yes yet. After a no, Kenji’s family would have heard something wrong.',
  );
});

test('the progress of a day counts who is told, who is asked, who waits and who needs new options, one mark for each person', () => {
  const ask: CallLine = { ...lineOf('Ida'), call: 'ask' };
  const family: CallLine = { ...lineOf('Bo'), after: [{ id: 'T-1', name: 'Yuki Ito' }] };
  expect(progressOf(1, [ask, family, { ...lineOf('Cyd'), call: 'inform' }])).toEqual({
    marks: ['told', 'ask', 'waits', 'tell'],
    words: '1 of 4 told',
    left: '1 to ask, 1 waits',
  });
  const answered = {
    result: '1',
    answer: 'said-no',
    at: '',
    by: '',
    note: null,
    ring_by: null,
    own_page: false,
  } as const;
  const no: CallLine = { ...ask, answers: [{ ...answered, taken_back: false }] };
  expect(progressOf(0, [ask, no, { ...family, waits_for: ['Kai Wood said no at 7:12'] }])).toEqual({
    marks: ['ask', 'plan', 'plan'],
    words: '0 of 3 told',
    left: '1 to ask, 2 need new options',
  });
  expect(progressOf(2, [])).toEqual({ marks: ['told', 'told'], words: '2 of 2 told', left: '' });
});
