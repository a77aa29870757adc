import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImportSummary } from '@clinic/contract';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from '../import/testing/small.ts';

let database: TestDatabase;
let folder: string;
const files = smallFiles({
  therapists: THERAPISTS,
  clients: CLIENTS,
  appointments: [appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee'), '=1+1,,,,,,,'],
});

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'clinic import ')); // the folder's name contains a space
  for (const file of Object.values(files)) writeFileSync(join(folder, file.name), file.bytes);
  mkdirSync(join(folder, 'a folder'));
  writeFileSync(join(folder, 'empty.csv'), '');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(...args: string[]): Promise<Ended> {
  const env = { ...process.env, DATABASE_URL: urlOf(database.target), DEMO: 'off' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'import.ts'), ...args],
      { env, cwd: folder },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });
}
const rows = async () => (await database.db.selectFrom('therapist').select('id').execute()).length;

const refusals: [string, string[], RegExp][] = [
  ['nothing given', [], /^Nothing to import\. Usage: npm run import/],
  ['an unknown option', ['--therapist', 'x'], /Usage: npm run import/],
  ['a missing file', ['--clients', 'nowhere.csv'], /^There is no file nowhere\.csv\. Nothing was written\.\n$/],
  ['a folder', ['--clients', 'a folder'], /^a folder is a folder, not a file\. Nothing was written\.\n$/],
  ['an empty file', ['--clients', 'empty.csv'], /^empty\.csv is empty\. Nothing was written\.\n$/],
  [
    'the wrong export',
    ['--therapists', 'therapists.csv', '--clients', 'therapists.csv'],
    /^therapists\.csv does not look like a client export: it has no column restrictions\. It looks like an export of therapists\. Nothing was written\.\n$/,
  ],
  [
    'a report in a folder that is not there',
    ['--therapists', 'therapists.csv', '--report', 'no/out.csv'],
    /^The report no\/out\.csv cannot be written: .* Nothing was imported\.\n$/,
  ],
  [
    'a report over its input',
    ['--therapists', 'therapists.csv', '--report', 'therapists.csv'],
    /would overwrite one of the files to import/,
  ],
];
test.each(refusals)(
  'given %s, one clear line is printed, the exit code is 1, and nothing is written',
  async (_, args, line) => {
    const ended = await run(...args);
    const said = ended.stderr.replace(/^Database: .*\n/, ''); // only if the database was needed
    expect(said).toMatch(line);
    expect(said.trimEnd().split('\n')).toHaveLength(1);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toBe('');
    expect(await rows()).toBe(0);
  },
);

const ALL = ['--therapists', 'therapists.csv', '--clients', 'clients.csv', '--appointments', 'appointments.csv'];

test('a dry run writes nothing, the import writes its report, and importing again changes nothing', async () => {
  const dry = await run(...ALL, '--dry-run');
  expect(dry).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Database: .*\n$/) as string });
  expect(dry.stdout).toContain(
    'Dry run: nothing was written.\ntherapists.csv: 3 rows: 3 new.\nclients.csv: 3 rows: 3 new.\n',
  );
  expect(await rows()).toBe(0);

  const done = await run(...ALL, '--report', 'out.csv');
  expect(done.stdout).toContain('appointments.csv: 2 rows: 1 new, 1 refused.\n  refused: 1 malformed row.');
  expect(await rows()).toBe(3);
  expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(
    [
      '\uFEFFimport outcome,import file,import line,import reason,import explanation,import kind,Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Appointment_Status,Client Name,Location',
      "refused,appointments.csv,3,malformed row,it names no time and no client: it looks like a total or a note,appointments,'=1+1,,,,,,,",
      '',
    ].join('\r\n'),
  );

  const again = JSON.parse((await run(...ALL, '--json')).stdout) as ImportSummary;
  expect(again.files.map((f) => [f.kind, f.unchanged, f.refused])).toEqual([
    ['therapists', 3, 0],
    ['clients', 3, 0],
    ['appointments', 1, 1],
  ]);
});

test('a question that changes what rows mean stops the import, and is answered with a flag', async () => {
  const rows = [
    appointment('Q-1', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee', { status: 'Rendered', date: '14/12/2026' }),
    appointment('Q-2', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee', { date: '03/12/2026' }),
  ];
  const [file] = Object.values(smallFiles({ appointments: rows }));
  if (!file) throw new Error('no file');
  const [header = '', ...lines] = Buffer.from(file.bytes).toString().trim().split('\n');
  const marked = [`${header},Canceled`, ...lines.map((line, i) => `${line},${i === 0 ? 'no' : 'yes'}`), ''];
  writeFileSync(join(folder, 'marked.csv'), marked.join('\n'));
  const stored = () =>
    database.db.selectFrom('appointment').select(['wire_id', 'status']).where('wire_id', 'like', 'Q-%').execute();

  const stopped = await run('--appointments', 'marked.csv');
  expect([stopped.code, stopped.stdout]).toEqual([1, '']);
  expect(stopped.stderr).toContain('Nothing was written. 3 questions must be answered first.');
  expect(stopped.stderr).toContain('Are these dates day first (14/12/2026) or month first?');
  const keys = [...stopped.stderr.matchAll(/--answer '(.+)=…'/g)].map(([, key]) => key ?? '');
  expect(keys).toEqual([
    'cause dates appointments startdatetime',
    'column appointments canceled',
    'cause status rendered',
  ]);
  expect(await stored()).toEqual([]);
  expect((await run('--appointments', 'marked.csv', '--answer', 'nothing')).stderr).toMatch(/is not QUESTION=ANSWER/);

  const answers = keys.flatMap((key, i) => ['--answer', `${key}=${['day', 'Cancelled', 'Completed'][i] ?? ''}`]);
  const done = await run('--appointments', 'marked.csv', ...answers);
  expect(done.code).toBe(0);
  expect(done.stdout).toContain('marked.csv: reads the dates of StartDateTime and EndDateTime day first, as answered.');
  expect((await stored()).map(({ wire_id, status }) => `${wire_id} ${status}`).sort()).toEqual([
    'Q-1 fulfilled',
    'Q-2 cancelled',
  ]);
});
