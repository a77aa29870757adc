import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { isoDate } from '@clinic/domain';
import { openDatabase, type Db } from '../../db/connection.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { fillYears } from '../../testing/years.ts';
import { chainOn, kindsOf, selectGranted } from './authorization-kinds.ts';
import { usedQuery } from './authorizations.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  const made = await createTestDatabase();
  const open = openDatabase(made.target, { connections: 2, statementTimeoutMs: 0 });
  await fillYears(open.db, { days: 300, therapists: 6, stay: 130 });
  db = open.db;
  close = async () => {
    await open.close();
    await made.close();
  };
}, 120_000);
afterAll(() => close());

interface Node {
  readonly 'Plan Rows': number;
  readonly 'Actual Rows': number;
  readonly 'Total Cost': number;
  readonly 'CTE Name'?: string;
  readonly Plans?: readonly Node[];
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

test('on years of data, PostgreSQL expects as many authorizations as there are, and no statement that is worth compiling', async () => {
  const today = isoDate(new Date().toISOString().slice(0, 10));
  const { rows: clients } = await sql<{ id: string }>`
    select distinct client_id as id from appointment where location = 'altamonte' and starts::date between current_date and current_date + 7`.execute(
    db,
  );
  const kinds = kindsOf(
    chainOn(
      await selectGranted(
        db,
        clients.map(({ id }) => id),
      ),
      [today],
    ),
  );
  expect(kinds.length).toBeGreaterThan(10);
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>`
    explain (analyze, format json) ${usedQuery(kinds, today, null)}`.execute(db);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('no plan');
  const ofKinds = nodesOf(plan).filter((node) => node['CTE Name'] === 'kind');
  expect(ofKinds.length).toBeGreaterThan(0);
  for (const node of ofKinds) expect(node['Plan Rows']).toBeLessThanOrEqual(kinds.length * 2);
  expect(plan['Plan Rows']).toBeLessThanOrEqual(plan['Actual Rows'] * 20);
  // From this cost on, PostgreSQL compiles a statement (`jit_above_cost`).
  expect(plan['Total Cost']).toBeLessThan(100_000);
});
