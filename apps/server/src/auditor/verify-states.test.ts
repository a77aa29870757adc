import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildTherapist } from '../testing/builders.ts';
import { useApp } from '../testing/use-app.ts';
import { verifyStates } from './verify-states.ts';

let ana = '';
const t = useApp(undefined, async ({ db }) => {
  ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz', specialization: 'RBT' });
});

test('the states of records are a chain: a changed or missing one is found, and two changes at once are two states', async () => {
  const save = (name: string) =>
    t.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('therapist')
        .set({ last_name: name, display_name: `Ana ${name}`, name_key: `ana ${name.toLowerCase()}` })
        .where('id', '=', ana)
        .execute();
    });
  await Promise.all([save('Reyes'), save('Ramos'), save('Rivas')]);
  await save('Ruiz');
  expect(await verifyStates(t.db)).toEqual([]);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from record_state where subject = ${ana}`.execute(
    t.db,
  );
  expect(rows[0]?.n).toBeGreaterThanOrEqual(5);
  await expect(sql`update record_state set state = '{}'`.execute(t.db)).rejects.toThrow('append-only');
  for (const harm of [
    sql`update record_state set state = replace(state, 'RBT', 'BCBA') where subject = ${ana} and number = 1`,
    sql`delete from record_state where subject = ${ana} and number = 2`,
  ]) {
    await t.db
      .transaction()
      .execute(async (trx) => {
        await sql`alter table record_state disable trigger record_state_append_only`.execute(trx);
        await harm.execute(trx);
        expect(await verifyStates(trx)).not.toEqual([]);
        throw new Error('taken back');
      })
      .catch((error: unknown) => expect(String(error)).toContain('taken back'));
  }
});
