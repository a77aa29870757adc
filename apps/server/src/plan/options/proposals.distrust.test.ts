import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pin, propose, refresh, type Selection } from '../../testing/calls.ts';
import { openForEachTest } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { buildAppointment, buildTherapist } from '../../testing/builders.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';

let app: TestApp;
let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
openForEachTest((small) => ({ app, db, who, clinic } = small));

test('given a client’s sessions at a location the account may not see, a proposal shows them only as taken time', async () => {
  const there = await buildTherapist(db, { first: 'Tess', last: 'Tampa', location: 'tampa' });
  const monday = {
    date: '2030-11-18',
    start: '09:00',
    end: '10:00',
    location: 'tampa',
    subject: 'Assessment',
  } as const;
  await buildAppointment(db, { therapist: there, client: clinic.bo, ...monday });
  const reply = await propose(who, { therapist: 'Ana Ruiz' });
  expect(reply.metadata.weekly_schedule['Bo Lee']?.[0]).toEqual({
    date: monday.date,
    time: '9:00 AM - 10:00 AM',
    therapist: '(Tampa)',
    subject: '',
    status: 'Confirmed',
  });
  expect(JSON.stringify(reply)).not.toMatch(/Tess|Assessment/);
});

test('a refresh refuses options that were edited, invented or not offered', async () => {
  const first = await propose(who, { therapist: 'Ana Ruiz' });
  const refused = async (selections: Selection[], edit: object, words: RegExp) => {
    const reply = await refresh(who, first, selections, edit);
    expect(reply.statusCode, reply.body).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toMatch(words);
  };
  const edited = structuredClone(first.data);
  Object.assign(edited[DATE]?.['Bo Lee']?.['Option 1']?.['8:30 AM - 11:30 AM'] ?? {}, { therapist: 'Max Dean' });
  await refused([], { output: { possible_solutions: edited } }, /not the options that were offered/);
  await refused(
    [],
    { output: { possible_solutions: {} } },
    /possible_solutions is empty.*Nothing was changed.*Open the/,
  );
  await refused(
    [pin('Bo Lee', 'Option 1')],
    { output: { possible_solutions: { [DATE]: {} } } },
    /the options of Bo Lee were not sent with it.*Nothing was changed/,
  );
  await refused([pin('Bo Lee', 'Option 7')], {}, /There is no Option 7/);
  await refused([pin('Mo Diaz', 'Option 1')], {}, /no options for Mo Diaz/);
  await refused([{ ...pin('Bo Lee', 'Option 1'), date: '2030-11-23' }], {}, /no options for Sat, Nov 23\. /);
  await refused([pin('Bo Lee', 'Option 1'), pin('Bo Lee', 'Option 2')], {}, /Two options are selected for Bo Lee/);
  await refused([], { metadata: { ...first.metadata, proposal: 'p_nobody' } }, /did not make these options/);
  const stranger = await app.signIn({ locations: ['tampa'] });
  const theirs = await stranger.call({
    method: 'POST',
    url: '/api/refresher',
    payload: {
      output: { possible_solutions: first.data },
      metadata: { ...first.metadata, location: 'tampa' },
      refreshSelections: [],
    },
  });
  expect(theirs.statusCode).toBe(403);
  const { proposal, revision } = first.metadata;
  const cell = { date: DATE, client: 'Bo Lee', option: 'Option 1', time_slot: '8:30 AM - 11:30 AM' };
  const explain = { method: 'POST', url: '/api/proposals/explain', payload: { proposal, revision, ...cell } } as const;
  expect((await stranger.call(explain)).statusCode).toBe(403);
  expect((await who.call(explain)).statusCode).toBe(200);
  const { rows } = await sql<{ account: string }>`
    select account_id as account from audit where action = 'proposal.explained' and subject_ids = ${[proposal]}`.execute(
    db,
  );
  expect(rows).toEqual([{ account: who.accountId }]);
});

test('given two refreshes of the same options at the same moment, one succeeds and the other is refused', async () => {
  const first = await propose(who, { therapist: 'Ana Ruiz' });
  const replies = await Promise.all([refresh(who, first, []), refresh(who, first, [pin('Bo Lee', 'Option 1')])]);
  expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409]);
  expect(replies.find((reply) => reply.statusCode === 409)?.body).toContain('replaced by a later refresh');
});
