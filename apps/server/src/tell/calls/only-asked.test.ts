import { expect, test } from 'vitest';
import type { DaySheetReply } from '@clinic/contract';
import { isoDate, type NetChange } from '@clinic/domain';
import { buildAppointment } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { wordsOf } from '../lines/messages.ts';

/** Whoever is only asked has no other day yet: nothing says that it is decided, and nothing is built on it. */

let small: SmallApp;
openForEachTest((opened) => (small = opened));
const { lineOf, answered, covered } = new CallList(() => small.who);
const give = (key: string, therapist: string | null) =>
  small.db.updateTable('appointment').set({ therapist_id: therapist }).where('id', '=', key).execute();
const said = async (name: string): Promise<string> =>
  (await lineOf(name)).say.join(' ').replace('Friday, November 22, 2030: ', '');

const change = (what: NetChange['what'], start: number): NetChange => {
  return { what, start, end: start + 60, with: 'bo', service: 'direct' };
};
const fresh = change('new', 540);
const gone = change('gone', 780);
const message = (more: Partial<Parameters<typeof wordsOf>[0][number]>, ownPage = false): string => {
  const line = { changes: [fresh, gone], outdated: false, asked: [], withdrawn: [], ...more };
  return wordsOf([line], isoDate(DATE), { ownPage, language: 'en' }, 'https://clinic.example');
};

test('a message counts what has changed, and says of what someone is asked for only that there is a question', () => {
  expect(message({})).toBe('Your day on Fri 22 Nov has changed: 1 new, 1 gone. Please call the clinic.');
  expect(message({ asked: [fresh] })).toBe(
    'Your day on Fri 22 Nov has changed: 1 gone. We also have a question about it. Please call the clinic.',
  );
  expect(message({ asked: [fresh, gone] }, true)).toBe(
    'We have a question about your day on Fri 22 Nov. Open https://clinic.example/me',
  );
  expect(message({ asked: [fresh], withdrawn: [gone], outdated: true })).toBe(
    'We have a new question about your day on Fri 22 Nov. Please call the clinic.',
  );
  expect(message({ changes: [gone], withdrawn: [gone], outdated: true })).toBe(
    'Our earlier question about your day on Fri 22 Nov no longer holds. Please call the clinic.',
  );
  expect(message({ changes: [gone], outdated: true })).toContain('has changed again: 1 gone.');
});

test('given a message that asks someone to come in, when the plan asks for something else, then it is still a question', async () => {
  await covered();
  await answered('Kai Wood', 'left-message');
  await give(small.clinic.boMorning, null);
  await buildAppointment(small.db, {
    therapist: small.clinic.kai,
    client: small.clinic.ida,
    date: DATE,
    start: '09:00',
    end: '10:30',
  });
  expect(await lineOf('Kai Wood')).toMatchObject({ call: 'ask', again: { was: 'asked for Bo Lee 8:30 to 11:30' } });
  expect(await said('Kai Wood')).toMatch(/Can you come in for Ida Fox from 9:00 to 10:30/);
});

test('given a message that asks someone to come in, when it is taken back, then they are not released from what they never had', async () => {
  await covered();
  await answered('Kai Wood', 'left-message');
  await buildAppointment(small.db, {
    therapist: small.clinic.kai,
    client: small.clinic.ida,
    date: DATE,
    start: '14:00',
    end: '15:00',
  });
  await answered('Kai Wood', 'left-message');
  await give(small.clinic.boMorning, null);
  const words = await said('Kai Wood');
  expect(words).toContain('We do not need you after all for Bo Lee from 8:30 to 11:30.');
  expect(words).not.toMatch(/released|stand by|no longer yours/);
});

test('the printed day marks what waits for a yes, until the yes is there', async () => {
  await covered();
  const marked = async (): Promise<unknown[]> => {
    const reply = await small.who.call({ url: '/api/calls/day-sheet', query: ON });
    return reply
      .json<DaySheetReply>()
      .therapists.flatMap(({ name, sessions }) =>
        sessions.flatMap(({ clients, unsettled }) => (unsettled === true ? [[name, clients.join()]] : [])),
      );
  };
  expect(await marked()).toEqual([['Kai Wood', 'Bo Lee']]);
  await answered('Kai Wood', 'told');
  expect(await marked()).toEqual([]);
});
