import { expect, test } from 'vitest';
import type { CallsReply, ProposalReply } from '@clinic/contract';
import { buildAppointment } from '../../testing/builders.ts';
import { commitEveryone, propose, solveDay } from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openForEachTest, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import type { SignedIn } from '../../testing/test-app.ts';

let t: SmallApp;
openForEachTest((small) => (t = small));

type Said = Pick<CallsReply['lines'][number], 'kind' | 'name' | 'call' | 'first' | 'say'>;

const { list, told } = new CallList(() => t.who);
const said = async (): Promise<Said[]> =>
  (await list()).lines.map(({ kind, name, call, first, say }) => ({ kind, name, call, first, say }));
const solve = (keep: 'told' | 'nothing') => solveDay(t.who, { keep });
const ask = (of: ProposalReply, option = 'Option 1', who: SignedIn = t.who) => {
  const { proposal, revision } = of.metadata;
  return who.call({ method: 'POST', url: '/api/proposals/calls', payload: { proposal, revision, date: DATE, option } });
};
async function foretold(of: ProposalReply, option?: string): Promise<Said[]> {
  const reply = await ask(of, option);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<{ lines: Said[] }>().lines;
}
const commit = (proposal: ProposalReply, option?: string) => commitEveryone(t.who, proposal, option);
const back = async (name: string): Promise<void> => {
  const payload = { ...ON, type: 'therapist', name, take_back: true };
  const reply = await t.who.call({ method: 'POST', url: '/api/absences/withdraw', payload });
  expect(reply.statusCode, reply.body).toBe(200);
};

test('given a date without calls so far, then an option lists the calls that its commit would make, and changes nothing', async () => {
  const proposal = await propose(t.who, { therapist: 'Ana Ruiz', begin: '09:00', end: '10:30' }, { client: 'Mo Diaz' });
  const before = await said();
  const option = Object.keys(proposal.metadata.options[DATE] ?? {}).at(-1) ?? '';
  const lines = await foretold(proposal, option);
  expect(lines.map((line) => line.name)).toEqual(expect.arrayContaining(['Bo Lee']));
  expect(await said()).toEqual(before);
  await commit(proposal, option);
  expect(await said()).toEqual(lines);
});

test('given an absence withdrawn after people were told, then each option lists the calls that staff make after its commit', async () => {
  await buildAppointment(t.db, {
    therapist: t.clinic.ana,
    client: t.clinic.ida,
    date: DATE,
    start: '13:00',
    end: '15:00',
  });
  await commit(await propose(t.who, { therapist: 'Ana Ruiz' }));
  await told('Kai Wood', 'Bo Lee');
  await back('Ana Ruiz');
  const kept = await solve('told');
  const anew = await solve('nothing');
  const [keeping, changing] = [await foretold(kept), await foretold(anew)];
  expect(keeping.map((line) => line.name)).not.toContain('Bo Lee');
  expect(changing.map((line) => line.name)).toContain('Bo Lee');
  await commit(kept);
  expect(await said()).toEqual(keeping);
});

test('given options solved again after calls, then they list the calls that their commit would make', async () => {
  await commit(await propose(t.who, { therapist: 'Ana Ruiz' }));
  await told('Kai Wood', 'Bo Lee');
  await back('Ana Ruiz');
  const anew = await solve('nothing');
  const lines = await foretold(anew);
  await commit(anew);
  expect(await said()).toEqual(lines);
});

test('an unknown option is refused, and the refusal for an account at another location reveals nothing', async () => {
  const proposal = await propose(t.who, { therapist: 'Ana Ruiz' });
  expect((await ask(proposal, 'Option 9')).statusCode).toBe(422);
  const other = await t.app.signIn({ locations: ['tampa'] });
  expect((await ask(proposal, 'Option 1', other)).statusCode).toBe(403);
});

test('each option’s number of people to tell is the number of lines that its commit would make, families and cancellations too', async () => {
  const proposal = await propose(
    t.who,
    { therapist: 'Ana Ruiz', begin: '09:00', end: '10:30' },
    { client: 'Mo Diaz', loss: { cause: null, lost_by: 'clinic' } },
  );
  const { proposal: id, revision } = proposal.metadata;
  const payload = { proposal: id, revision, date: DATE };
  const reply = await t.who.call({ method: 'POST', url: '/api/proposals/to-tell', payload });
  expect(reply.statusCode, reply.body).toBe(200);
  const { options } = reply.json<{ options: Record<string, number> }>();
  const names = Object.keys(proposal.metadata.options[DATE] ?? {});
  expect(Object.keys(options).sort()).toEqual(names.sort());
  for (const name of names) expect(options[name], name).toBe((await foretold(proposal, name)).length);
  const last = names.at(-1) ?? '';
  expect(options[last]).toBeGreaterThan(1);
  await commit(proposal, last);
  expect((await said()).length).toBe(options[last]);
  const other = await t.app.signIn({ locations: ['tampa'] });
  expect((await other.call({ method: 'POST', url: '/api/proposals/to-tell', payload })).statusCode).toBe(403);
});
