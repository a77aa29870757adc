import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { parsePeople } from './snapshot.ts';
import { planEveryone } from './plan.ts';
import { peopleStatements } from './write-plan.ts';

test('given many people, each statement stays small, and together the statements contain everyone', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({
    line: i + 2,
    cells: {
      id: `C-${i}`,
      first_name: 'Bo',
      last_name: `Lee${'x'.repeat(60)}${i}`,
      location: 'altamonte',
      gender: 'Male',
      restrictions: '',
    },
    original: '',
    given: [],
    fault: null,
  }));
  const kind = 'clients' as const;
  const columns = { kind, file: 'clients.csv', ours: [], questions: [], missing: [], unsaid: [] };
  const nobody = parsePeople('{"therapists": [], "clients": [], "known": []}');
  const plan = planEveryone(
    { clients: { file: 'clients.csv', header: [], dates: [], columns, rows } },
    nobody,
    'Admin',
    isoDate('2026-11-20'),
  );
  const statements = peopleStatements(plan);
  const inserted = statements.filter(({ name }) => name === 'insertClients');
  expect(inserted.length).toBeGreaterThan(3);
  expect(Math.max(...statements.map((each) => each.rows.length))).toBeLessThan(1_100_000);
  const ids = inserted.flatMap((each) => (JSON.parse(each.rows) as { id: string }[]).map(({ id }) => id));
  expect(new Set(ids).size).toBe(20_000);
});
