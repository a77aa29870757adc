import type pg from 'pg';
import { quoted } from './tables.ts';

/** How much memory PostgreSQL may use to build an index, so that it sorts millions of rows in few passes. */
const INDEX_MEMORY = '256MB';

interface Rule {
  readonly drop: string;
  readonly make: string;
}

/**
 * Drops our tables' keys, exclusion constraints and indexes, in the open transaction, until the returned function makes
 * them again. Rows go into tables without indexes several times as fast, and an index of all rows at once is built in a
 * fraction of the time that one row after another takes. PostgreSQL checks every row when it makes a constraint, so it
 * accepts only rows that obey them.
 */
export async function dropRules(client: pg.ClientBase): Promise<() => Promise<void>> {
  // A constraint's index comes and goes with the constraint. Foreign keys are dropped first and made last, because they
  // need the unique keys that they refer to.
  const constraints = await client.query<Rule>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
     from pg_constraint
     where connamespace = current_schema()::regnamespace and contype in ('p', 'u', 'x', 'f') and conparentid = 0
       and conrelid <> 'migrations'::regclass
     order by contype <> 'f', conname`,
  );
  const indexes = await client.query<Rule>(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
     order by 1`,
  );
  const rules = [...constraints.rows, ...indexes.rows];
  for (const { drop } of rules) await client.query(drop);
  return async () => {
    await client.query(`set local maintenance_work_mem = ${quoted(INDEX_MEMORY)}`);
    for (const { make } of rules.toReversed()) await client.query(make);
  };
}
