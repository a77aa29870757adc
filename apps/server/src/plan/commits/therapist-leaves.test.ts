import { expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { everyone, propose, submit, submitBody } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildSmallClinic, DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';
import { waitsOrReplied } from '../../testing/waits.ts';
import { useApp } from '../../testing/use-app.ts';

let clinic: SmallClinic;
let proposal: ProposalReply;
const t = useApp(buildCoverApp, async () => {
  clinic = await buildSmallClinic(t.deps.db);
  proposal = await propose(t.staff, { therapist: 'Ana Ruiz' });
});

test('a commit that assigns a session to a therapist waits while the therapist is being deleted, and is then refused', async () => {
  const cells = Object.values(proposal.data[DATE]?.['Bo Lee']?.['Option 1'] ?? {});
  expect(cells.map((cell) => cell.therapist)).toContain('Kai Wood');
  const before = await dayOf(t.deps.db, DATE);
  // The deletion has done all its work but is not committed yet. Kai has no session that day, so no day is locked.
  const deletion = await t.deps.pool.connect();
  await deletion.query('begin');
  await deletion.query('select from therapist where id = $1 for no key update', [clinic.kai]);
  await deletion.query('update therapist set deleted_at = now() where id = $1', [clinic.kai]);
  const sent = submit(t.staff, submitBody(proposal, everyone(proposal)));
  const waited = await waitsOrReplied(t.deps.pool, [sent]);
  await deletion.query('commit');
  deletion.release();
  const reply = await sent;
  expect(waited).toBe(true);
  expect(reply.statusCode, reply.body).toBe(409);
  expect(await dayOf(t.deps.db, DATE)).toEqual(before);
  await t.deps.db.updateTable('therapist').set({ deleted_at: null }).where('id', '=', clinic.kai).execute();
});

test('a deletion of a therapist waits for a commit that assigns them a session, and then sees that session', async () => {
  const { db, pool } = t.deps;
  const session = await pool.connect();
  await session.query('begin');
  await session.query('update appointment set therapist_id = $1, place = id::text where id = $2', [
    clinic.kai,
    clinic.boMorning,
  ]);
  const sent = t.staff.call({ method: 'DELETE', url: `/api/therapists/${clinic.kai}` });
  const waited = await waitsOrReplied(t.deps.pool, [sent]);
  await session.query('commit');
  session.release();
  const reply = await sent;
  expect(waited).toBe(true);
  expect(reply.statusCode, reply.body).toBe(409);
  expect(reply.json<{ detail: { message: string } }>().detail.message).toContain('Kai Wood still has');
  const kai = await db.selectFrom('therapist').select('deleted_at').where('id', '=', clinic.kai).executeTakeFirst();
  expect(kai?.deleted_at).toBeNull();
});

test('the database refuses a session that begins after its therapist has left, and keeps earlier sessions', async () => {
  const { db } = t.deps;
  await db.updateTable('therapist').set({ deleted_at: '2030-01-01T00:00:00Z' }).where('id', '=', clinic.lin).execute();
  const give = (date: string) =>
    db
      .updateTable('appointment')
      .set({ therapist_id: clinic.lin, place: 'elsewhere', starts: `${date} 18:00:00`, ends: `${date} 19:00:00` })
      .where('id', '=', clinic.boMorning)
      .execute();
  await expect(give('2030-01-02')).rejects.toMatchObject({ code: '23P01', constraint: 'session_of_someone_here' });
  await give('2029-12-30');
});
