import { expect, test } from 'vitest';
import type { CallLine } from '@clinic/contract';
import { commitEveryone, propose, saveAbsences, undo } from '../../testing/calls.ts';
import { CallList } from '../../testing/call-list.ts';
import { openForEachTest } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import type { SignedIn } from '../../testing/test-app.ts';

let who: SignedIn;
openForEachTest((small) => ({ who } = small));

const calls = new CallList(() => who);
const back = () =>
  saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '00:00', end: '00:15' }], 'altamonte', {
    take_back: true,
  });
const said = async (): Promise<[string, string[]][]> =>
  (await calls.list()).lines.map(({ name, say }) => [name, say.map((each) => each.replace(/^Friday.*?: /, ''))]);
const answers = ({ answers: all }: CallLine) => all.map(({ answer }) => answer);

test('given messages about a plan that was then undone, then both people are called again until they are told', async () => {
  const commit = await calls.covered();
  await calls.answered('Bo Lee', 'left-message');
  await calls.answered('Kai Wood', 'left-message');
  await undo(who, commit);
  const family = [
    'Our earlier message no longer holds.',
    'We have nobody for Bo from 8:30 to 11:30; shall we cancel it, or may we ring again by 7:30?',
  ];
  const therapist = [
    'Our earlier message no longer holds.',
    'We do not need you after all for Bo Lee from 8:30 to 11:30.',
  ];
  expect(await said()).toEqual([
    ['Bo Lee', family],
    ['Kai Wood', therapist],
  ]);
  const line = await calls.lineOf('Bo Lee');
  expect(line.again).toMatchObject({ heard: 'left-message', was: 'Kai 8:30 to 11:30', now: 'nobody 8:30 to 11:30' });
  expect([line.waits_for, answers(line)]).toEqual([['Ana Ruiz is away'], ['left-message']]);

  // Another message may not be heard either.
  await calls.answered('Kai Wood', 'left-message');
  expect(await said()).toEqual([
    ['Bo Lee', family],
    ['Kai Wood', therapist],
  ]);
  await calls.told('Kai Wood', 'Bo Lee');
  expect(await said()).toEqual([]);
});

test('given a message about a plan, when the plan is undone and their own therapist is back, then the family is called about that', async () => {
  const commit = await calls.covered();
  await calls.answered('Bo Lee', 'left-message');
  await undo(who, commit);
  await back();
  expect(await said()).toEqual([
    ['Bo Lee', ['Our earlier message no longer holds.', 'Bo is with Ana from 8:30 to 11:30 instead of Kai.']],
  ]);
});

test('given that no one answered or heard about a plan, when it is undone, then no one is called', async () => {
  const commit = await calls.covered();
  await calls.answered('Bo Lee', 'no-answer');
  await undo(who, commit);
  expect(await said()).toEqual([]);
});

test('given a message about a plan that was undone and committed again, then the line says only what the plan changes', async () => {
  const commit = await calls.covered();
  const before = await said();
  await calls.answered('Bo Lee', 'left-message');
  await undo(who, commit);
  await commitEveryone(who, await propose(who, { therapist: 'Ana Ruiz' }));
  expect(await said()).toEqual(before);
  const line = await calls.lineOf('Bo Lee');
  expect([line.again, answers(line)]).toEqual([null, ['left-message']]);
});

test('given a family who wanted anyone but the therapist of a plan, when it is undone and their own therapist is back, then they are called', async () => {
  const commit = await calls.covered();
  const line = await calls.lineOf('Bo Lee');
  const therapist = line.sessions[0]?.with?.id;
  await calls.answered('Bo Lee', 'said-no', { no: { scope: 'but', therapist } });
  await undo(who, commit);
  await back();
  expect(await said()).toEqual([['Bo Lee', ['Bo is with Ana from 8:30 to 11:30 instead of Kai.']]]);
  expect((await calls.lineOf('Bo Lee')).again).toMatchObject({ heard: 'said-no', was: 'Kai 8:30 to 11:30' });
});

test('given a therapist who said no after a message, when the plan is undone, then they are not called: they expect nothing', async () => {
  const commit = await calls.covered();
  await calls.answered('Kai Wood', 'left-message');
  await calls.answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  await undo(who, commit);
  expect(await said()).toEqual([]);
});

test('given “Told” that was a mistake, when it is taken back, then the line shows the earlier message again', async () => {
  const commit = await calls.covered();
  await calls.answered('Bo Lee', 'left-message');
  const { id } = await calls.lineOf('Bo Lee');
  await calls.told('Bo Lee');
  await calls.post('answer', { kind: 'client', id, version: '', answer: 'not-told' });
  expect(answers(await calls.lineOf('Bo Lee'))).toEqual(['left-message']);
  await undo(who, commit);
  expect((await said())[0]).toEqual(['Bo Lee', expect.arrayContaining(['Our earlier message no longer holds.'])]);
});

test('given a message about two sessions, one of which is then cancelled, then the list says only what the message said about that one', async () => {
  await calls.covered();
  const book = {
    location: 'altamonte',
    date: DATE,
    client: 'Bo Lee',
    therapist: 'Max Dean',
    start: '13:00',
    end: '14:00',
  };
  const payload = { ...book, subject: 'Direct Therapy' };
  const [session] = (await who.call({ method: 'POST', url: '/api/appointments', payload })).json<{ key: string }[]>();
  await calls.answered('Bo Lee', 'left-message');
  await who.call({ method: 'POST', url: `/api/appointments/${session?.key}/cancel`, payload: {} });
  const line = await calls.lineOf('Bo Lee');
  expect(line.say).toContain('Bo’s session from 1:00 to 2:00 is cancelled.');
  expect(line.again).toMatchObject({ heard: 'left-message', was: 'Max 1:00 to 2:00', now: 'no session' });
});
