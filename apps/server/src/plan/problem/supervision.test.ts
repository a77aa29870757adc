import { expect, test } from 'vitest';
import type { SupervisedSession, SupervisionReply } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { explainFirst, propose, takersOf } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const DATE = '2026-12-09';
const supervisors: string[] = [];
const rbts: Record<'ana' | 'kai', { therapist: string; client: string; name: string; child: string }> = {
  ana: { therapist: '', client: '', name: 'Ana Ruiz', child: 'Bo Lee' },
  kai: { therapist: '', client: '', name: 'Kai Wood', child: 'Mo Diaz' },
};
const t = useApp(fridayCoverApp, async ({ db }) => {
  for (const [first, last] of [
    ['Sue', 'One'],
    ['Sid', 'Two'],
    ['Sam', 'Free'],
  ])
    supervisors.push(
      await buildTherapist(db, { first, last, specialization: 'BCBA' } as { first: string; last: string }),
    );
  const [one = '', two = '', free = ''] = supervisors;
  for (const [rbt, supervisor] of [
    [rbts.ana, one],
    [rbts.kai, two],
  ] as const) {
    const [first = '', last = ''] = rbt.name.split(' ');
    const [childFirst = '', childLast = ''] = rbt.child.split(' ');
    rbt.therapist = await buildTherapist(db, { first, last });
    rbt.client = await buildClient(db, { first: childFirst, last: childLast });
    const { therapist, client } = rbt;
    await buildAppointment(db, { therapist, client, date: DATE, start: '09:00', end: '12:00' });
    // The free supervisor knows both children.
    await buildAppointment(db, {
      therapist: free,
      client,
      date: '2026-11-19',
      start: client === rbts.ana.client ? '09:00' : '10:00',
      end: client === rbts.ana.client ? '10:00' : '11:00',
    });
    await supervise(supervisor, rbt, DATE, '09:00', '10:00');
  }
});

const supervise = (
  therapist: string,
  { client }: { client: string },
  date: string,
  start: string,
  end: string,
): Promise<string> =>
  buildAppointment(t.db, { therapist, client, date, start, end, service: 'supervision', subject: 'Supervision' });

const ledger = async () =>
  (await t.staff.call({ url: `/api/ledgers/supervision?location=altamonte&date=${DATE}` })).json<SupervisionReply>();

test.each(['ana', 'kai'] as const)(
  'the one free supervisor goes to the RBT who is further behind on supervision this month, and the explanation says so (%s)',
  async (short) => {
    const { db } = t.deps;
    const other = short === 'ana' ? 'kai' : 'ana';
    await db.deleteFrom('appointment').where('starts', '>=', '2026-12-01').where('starts', '<', DATE).execute();
    // The other RBT was supervised twice already.
    for (const date of ['2026-12-02', '2026-12-03']) {
      const { therapist, client } = rbts[other];
      await buildAppointment(db, { therapist, client, date, start: '09:00', end: '12:00' });
      await supervise(supervisors[2] ?? '', rbts[other], date, '11:00', '13:00');
    }
    const proposal = await propose(t.staff, { therapist: 'Sue One', date: DATE }, { therapist: 'Sid Two', date: DATE });
    const clients = Object.keys(proposal.data[DATE] ?? {});
    const covered = clients.filter((client) => takersOf(proposal, DATE, client).includes('Sam Free'));
    expect(covered).toEqual([rbts[short].child]);
    expect((await explainFirst(t.staff, proposal, DATE, rbts[short].child)).about).toEqual([
      `Without this session, ${rbts[short].name} has 0 min of 9 min of supervision in December, and 0 of 2 contacts.`,
    ]);
    expect((await explainFirst(t.staff, proposal, DATE, rbts[other].child)).about).toEqual([]);
    const { rows, off } = await ledger();
    const rowOf = (id: string) => rows.find((row) => row.id === id);
    expect(rowOf(rbts[short].therapist)).toMatchObject({
      direct: 180,
      needed: 9,
      done: 0,
      ahead: 0,
      contacts: 0,
      contacts_ahead: 0,
      contacts_needed: 2,
      at_risk: true,
    });
    // Two hours of supervision during sessions; the hours after these sessions do not count.
    expect(rowOf(rbts[other].therapist)).toMatchObject({
      direct: 540,
      needed: 27,
      done: 120,
      contacts: 2,
      at_risk: false,
    });
    expect(off).toEqual([]);
    const behind = await t.staff.call({ url: `/api/ledgers/supervision/${rbts[other].therapist}?date=${DATE}` });
    expect(
      behind.json<SupervisedSession[]>().map(({ date, direct, supervised }) => [date, direct, supervised]),
    ).toEqual([
      ['2026-12-02', 180, 60],
      ['2026-12-03', 180, 60],
      [DATE, 180, 0],
    ]);
  },
);

test.each([
  ['present', 300, null],
  ['away all day', 100, ['00:00', '24:00'] as const],
  ['away for part of the supervision', 300, ['09:00', '09:30'] as const],
  ['away after the supervision', 300, ['10:00', '12:00'] as const],
])('given an RBT who is %s, then the supervision of their session weighs %s percent', async (_case, percent, away) => {
  const date = isoDate('2026-12-16');
  const { db } = t.deps;
  await db.deleteFrom('appointment').where('starts', '>=', '2026-12-01').execute();
  await db.deleteFrom('absence').where('date', '=', date).execute();
  const { therapist, client } = rbts.ana;
  await buildAppointment(db, { therapist, client, date, start: '09:00', end: '12:00' });
  const key = await supervise(supervisors[0] ?? '', rbts.ana, date, '09:00', '10:00');
  if (away) await buildAbsence(db, { therapist, date, start: away[0], end: away[1] });
  const { weights } = await loadClinicDay(db, 'altamonte', date, {
    wall: { date: isoDate('2026-11-20'), minutes: 440 },
  });
  expect(weights.get(key)?.percent ?? 100).toBe(percent);
});
