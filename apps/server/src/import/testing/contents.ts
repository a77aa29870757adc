import { sql } from 'kysely';
import type { TestDatabase } from '../../testing/test-database.ts';

/** Everything that an import could change, as text. */
export async function contents({ db }: Pick<TestDatabase, 'db'>): Promise<string[]> {
  const tables = ['therapist', 'therapist_availability', 'therapist_credential', 'therapist_tag', 'client'];
  const more = ['client_restriction', 'client_need', 'client_authorization', 'contact', 'appointment'];
  const texts = [];
  for (const table of [...tables, ...more]) {
    const { rows } = await sql<{ text: string }>`select coalesce(string_agg(line, E'\n' order by line), '') as text
      from (select (to_jsonb(t) - 'id' - 'version' - 'updated_at' || case when ${table} in ('therapist', 'client')
        then jsonb_build_object('id', to_jsonb(t) ->> 'id') else '{}' end)::text as line from ${sql.table(table)} t) x`.execute(
      db,
    );
    texts.push(rows[0]?.text ?? '');
  }
  return texts;
}
