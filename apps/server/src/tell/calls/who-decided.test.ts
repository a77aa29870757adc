import { expect, test } from 'vitest';
import type { AbsenceLossBody, CallsReply, ProposalReply, SlotsReply } from '@clinic/contract';
import { CallList, ON } from '../../testing/call-list.ts';
import { commitEveryone, propose, saveAbsences, solveDay } from '../../testing/calls.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

/** Whoever decided tells: a person is not told what they said themselves, and is told what someone else decided. */

let small: SmallApp;
openForEachTest((opened) => (small = opened), { deps: { clock: { now: () => Date.parse('2030-11-21T22:00:00Z') } } });
const calls = new CallList(() => small.who);
const FIRST = 'Friday, November 22, 2030: ';
const said = ({ lines }: Pick<CallsReply, 'lines'>): Record<string, string> =>
  Object.fromEntries(lines.map((line) => [line.name, line.say.join(' ').replace(FIRST, '')]));
const listed = async (): Promise<Record<string, string>> => said(await calls.list());

const put = async (url: string, payload: object): Promise<void> => {
  const reply = await small.who.call({ method: 'PUT', url, payload });
  expect(reply.statusCode, reply.body).toBe(204);
};
const absences = async (): Promise<SlotsReply['absences']> => {
  const reply = await small.who.call({ url: '/api/slots', query: { ...ON } });
  return reply.json<SlotsReply>().absences;
};
async function ofOption({ metadata: { proposal, revision } }: ProposalReply) {
  const payload = { proposal, revision, date: DATE, option: 'Option 1' };
  const reply = await small.who.call({ method: 'POST', url: '/api/proposals/calls', payload });
  return reply.json<Pick<CallsReply, 'lines'>>();
}
const FAMILY = { 'Bo Lee': 'Bo’s session from 8:30 to 11:30 is cancelled.' };
const ANA = { 'Ana Ruiz': 'Bo Lee from 8:30 to 11:30 is cancelled. You are released from 8:30 on.' };

/** A loss, whether the family of a child who is away for it is told, and whether a therapist who is away for it is. */
const TOLD: readonly (readonly [AbsenceLossBody | undefined, boolean, boolean])[] = [
  [undefined, false, false],
  [{ cause: 'sick' }, false, false],
  [{ cause: null, lost_by: 'family' }, false, true],
  [{ cause: null, lost_by: 'therapist' }, true, false],
  [{ cause: 'closed' }, true, true],
  [{ cause: 'weather' }, true, true],
  [{ cause: 'authorization' }, true, true],
  [{ cause: null, lost_by: 'payer' }, true, true],
  [{ cause: 'closed', lost_by: 'family' }, false, true],
  [{ cause: 'sick', lost_by: 'clinic' }, true, true],
  [{ cause: null, untold: true }, true, true],
  [{ cause: 'sick', untold: true }, true, true],
  [{ cause: 'closed', untold: false }, false, false],
];

test.each(TOLD)(
  'given a child who is away with the loss %o, then their family is told of the cancellation: %s',
  async (loss, isTold) => {
    const proposal = await propose(small.who, { client: 'Bo Lee', ...(loss && { loss }) });
    expect(await listed()).toEqual({});
    const foretold = await ofOption(proposal);
    const { calls: made, figures } = await commitEveryone(small.who, proposal);
    const expected = { ...ANA, ...(isTold ? FAMILY : {}) };
    expect(await listed()).toEqual(expected);
    expect(said(foretold)).toEqual(expected);
    expect(made.map(({ kind }) => kind).sort()).toEqual(isTold ? ['family', 'therapist'] : ['therapist']);
    expect(figures?.people).toBe(isTold ? 2 : 1);
  },
);

test.each(TOLD.map(([loss, , isTold]) => [loss, isTold] as const))(
  'given a therapist who is away with the loss %o, then they are told what they lose: %s',
  async (loss, isTold) => {
    await commitEveryone(small.who, await propose(small.who, { therapist: 'Ana Ruiz', ...(loss && { loss }) }));
    const { 'Ana Ruiz': ana } = await listed();
    const words = 'Bo Lee from 8:30 to 11:30 is no longer yours. We have you down as away that day.';
    expect(ana).toBe(isTold ? words : undefined);
  },
);

test('given a clinic that closes for the day, then everyone who loses time is on the list, therapists and families', async () => {
  const loss = { cause: 'closed' };
  const everyone = [{ client: 'Bo Lee' }, { client: 'Mo Diaz' }, { therapist: 'Ana Ruiz' }, { therapist: 'Lin Park' }];
  await commitEveryone(small.who, await propose(small.who, ...everyone.map((each) => ({ ...each, loss }))));
  expect(await listed()).toEqual({
    ...FAMILY,
    'Mo Diaz': 'Mo’s session from 1:00 to 4:00 is cancelled.',
    'Ana Ruiz': 'Bo Lee from 8:30 to 11:30 is cancelled. We have you down as away that day.',
    'Lin Park': 'Mo Diaz from 1:00 to 4:00 is cancelled. We have you down as away that day.',
  });
  await calls.told('Bo Lee', 'Mo Diaz', 'Ana Ruiz', 'Lin Park');
  expect(await listed()).toEqual({});
});

test('given a cause that is changed after the plan, then the family’s line comes and goes with it', async () => {
  await commitEveryone(small.who, await propose(small.who, { client: 'Bo Lee', loss: { cause: 'sick' } }));
  const [{ id = '' } = {}] = await absences();
  for (const [body, expected] of [
    [{ cause: 'closed' }, FAMILY],
    [{ cause: 'sick' }, {}],
    [{ cause: 'sick', untold: true }, FAMILY],
    [{ cause: 'closed', untold: false }, {}],
  ] as const) {
    await put(`/api/absences/${id}/cause`, body);
    expect(await listed()).toEqual({ ...ANA, ...expected });
  }
});

test('given a session cancelled by hand because of the clinic while its child is away, then the family is told', async () => {
  const url = `/api/appointments/${small.clinic.boMorning}`;
  await saveAbsences(small.who, [{ client: 'Bo Lee', date: DATE, loss: { cause: 'sick' } }]);
  const payload = { loss: { cause: 'weather' } };
  expect((await small.who.call({ method: 'POST', url: `${url}/cancel`, payload })).statusCode).toBe(200);
  expect(await listed()).toEqual({ ...ANA, ...FAMILY });
  await put(`${url}/cause`, { cause: 'sick' });
  expect(await listed()).toEqual(ANA);
  await put(`${url}/cause`, { cause: 'authorization' });
  expect(await listed()).toEqual({ ...ANA, ...FAMILY });
});

test('given a session cancelled by hand, then its family is told whatever the cause, unless the form says that they know', async () => {
  const url = `/api/appointments/${small.clinic.boMorning}/cancel`;
  const cancel = (more: object) =>
    small.who.call({ method: 'POST', url, payload: { loss: { cause: 'closed' }, ...more } });
  expect((await cancel({})).statusCode).toBe(200);
  expect(await listed()).toEqual({ ...ANA, ...FAMILY });
  expect((await cancel({ family_told: true })).statusCode).toBe(200);
  expect(await listed()).toEqual(ANA);
});

test('given an absence of someone who does not know yet, then this is shown again, and stays when its times change', async () => {
  const loss = { cause: null, untold: true };
  await saveAbsences(small.who, [{ client: 'Bo Lee', date: DATE, begin: '08:00', end: '12:00', loss }]);
  expect(await absences()).toMatchObject([{ name: 'Bo Lee', untold: true }]);
  await saveAbsences(small.who, [{ client: 'Bo Lee', date: DATE, begin: '08:00', end: '13:00' }]);
  expect(await absences()).toMatchObject([{ name: 'Bo Lee', endTime: '13:00', untold: true }]);
  await saveAbsences(small.who, [
    { client: 'Bo Lee', date: DATE, begin: '08:00', end: '13:00', loss: { cause: 'sick', untold: false } },
  ]);
  expect(await absences()).toMatchObject([{ untold: false, loss: { cause: 'sick' } }]);
});

test('given a therapist’s own report, then they are not told of what they said themselves, whatever its cause', async () => {
  const ana = await small.app.signIn({ role: 'therapist', therapistId: small.clinic.ana, locations: ['altamonte'] });
  await saveAbsences(small.who, [{ therapist: 'Ana Ruiz', date: DATE, loss: { cause: 'closed', untold: true } }]);
  const report = { from_date: DATE, from_time: '00:00', to_date: DATE, to_time: '24:00', cause: 'weather' };
  expect((await ana.call({ method: 'POST', url: '/api/me/absences', payload: report })).statusCode).toBe(204);
  const [{ id }] = (await small.who.call({ url: '/api/absence-reports?location=altamonte' })).json<[{ id: string }]>();
  const url = `/api/absence-reports/${id}/confirm`;
  expect((await small.who.call({ method: 'POST', url, payload: { location: 'altamonte' } })).statusCode).toBe(200);
  await commitEveryone(small.who, await solveDay(small.who));
  expect(Object.keys(await listed())).toEqual(['Kai Wood', 'Bo Lee']);
});
