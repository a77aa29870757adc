import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { detailSchema, importSummarySchema } from '@clinic/contract';
import { randomFrom, type Random } from '@clinic/testkit';
import { formOf } from '../import/testing/form.ts';
import { rowsOfTexts, sheetOf } from '../import/testing/sheet.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from '../import/testing/small.ts';
import { zipOf } from '../import/testing/zip.ts';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';

const COUNT = doseOf('import-as-weapon');

let admin: SignedIn;
const t = useApp(() => buildTestApp({ config: { ...LASTING, logLevel: 'error', rateLimit: 1_000_000 } }));
beforeAll(async () => {
  admin = await t.signIn({ role: 'admin' });
});

const KINDS = ['therapists', 'clients', 'appointments'] as const;
const FILES = smallFiles({
  therapists: THERAPISTS,
  clients: CLIENTS,
  appointments: [
    appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee'),
    appointment('A-2', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Mo Diaz'),
  ],
});
const textOf = (kind: (typeof KINDS)[number]): string => Buffer.from(FILES[kind]?.bytes ?? []).toString();

const PIECES = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '\u0000',
  '\uFEFF',
  '\u2028',
  '\ud800',
  'e\u0301',
  "'",
  '=1+1',
  '0',
];
const XML = [
  '<c>',
  '<row r="9"/>',
  '</row>',
  '<c r="A1"/>',
  '<!--',
  ']]>',
  '<![CDATA[',
  '&#0;',
  '&lol;',
  '<row r="1e9">',
  '<c r="ZZZZ9">',
];
const deep = (depth: number): string => `${'<is>'.repeat(depth)}x${'</is>'.repeat(depth)}`;
const cell = (at: string, more: string): string => `<row><c r="${at}" ${more}</c></row>`;

/** An export's text, damaged at random. */
function spoilText(random: Random, text: string, pieces: readonly string[]): string {
  let spoiled = text;
  for (let n = random.int(1, 6); n > 0; n--) {
    const at = random.int(0, spoiled.length);
    const piece = random.pick(pieces).repeat(random.pick([1, 1, 2, 40, 5000]));
    spoiled = random.chance(0.2)
      ? spoiled.slice(0, at)
      : spoiled.slice(0, at) + piece + spoiled.slice(at + random.int(0, 3));
  }
  return spoiled;
}

function spoilBytes(random: Random, bytes: Uint8Array): Uint8Array {
  const spoiled = Buffer.from(bytes);
  for (let n = random.int(1, 20); n > 0; n--) spoiled[random.int(0, spoiled.length - 1)] = random.int(0, 255);
  return random.chance(0.3) ? spoiled.subarray(0, random.int(0, spoiled.length)) : spoiled;
}

const table = (kind: (typeof KINDS)[number]): string =>
  rowsOfTexts(
    textOf(kind)
      .trim()
      .split('\n')
      .map((line) => line.split(',').map((text) => text.replaceAll('"', ''))),
  );

/** The ways to make a file harmful, by name. */
const WAYS: readonly [string, (random: Random, kind: (typeof KINDS)[number]) => Uint8Array][] = [
  ['text', (random, kind) => Buffer.from(spoilText(random, textOf(kind), PIECES))],
  [
    'encoding',
    (random, kind) => Buffer.from(spoilText(random, textOf(kind), PIECES), random.pick(['utf16le', 'latin1'])),
  ],
  ['bytes', (random, kind) => spoilBytes(random, Buffer.from(textOf(kind)))],
  ['lines', (random) => Buffer.from(random.pick(['a\n', '\n', ',\n', '"\n', '""\n']).repeat(random.int(1, 2_000_000)))],
  ['accents', (random, kind) => Buffer.from(`${textOf(kind)}${'\u0301\u0323'.repeat(random.int(1, 100_000))},x\n`)],
  ['sheet', (random, kind) => sheetOf(spoilText(random, table(kind), XML)).bytes],
  ['workbook', (random, kind) => spoilBytes(random, sheetOf(table(kind)).bytes)],
  [
    'trailing',
    (random, kind) =>
      Buffer.concat([sheetOf(table(kind)).bytes, Buffer.alloc(random.int(1, 70_000), 'PK\u0005\u0006')]),
  ],
  [
    'corner',
    (random) =>
      sheetOf(cell(`${random.pick(['A', 'Z', 'XFD', 'GR'])}${random.pick([1, 20_000, 1_048_576, 4e9])}`, '><v>1</v>'))
        .bytes,
  ],
  ['deep', (random) => sheetOf(cell('A1', `t="inlineStr">${deep(random.int(10, 100_000))}`)).bytes],
  [
    'strings',
    (random, kind) => {
      const shared = `<sst>${'<si><t>id</t></si>'.repeat(random.int(0, 50))}<si><t>${'x'.repeat(random.int(1, 5_000_000))}</t></si></sst>`;
      const cells = Array.from({ length: random.int(1, 5000) }, (_, i) =>
        cell(`A${i + 2}`, `t="s"><v>${random.int(-1, 60)}</v>`),
      );
      return sheetOf(table(kind) + cells.join(''), { 'xl/sharedStrings.xml': shared }).bytes;
    },
  ],
  [
    'bomb',
    (random) =>
      zipOf(
        Array.from(
          { length: random.int(1, 8) },
          (_, i) =>
            [
              `xl/worksheets/sheet${random.pick([1, i])}.xml`,
              Buffer.alloc(random.int(1, 40) * 1024 * 1024, random.pick(['\u0000', '<row/>', ' ', '<c r="A1"/>'])),
            ] as const,
        ),
        random.pick([undefined, 1, 4_000_000_000]),
      ),
  ],
];

const TABLES = ['therapist', 'client', 'appointment', 'import_row', 'audit', 'location_day'];
async function contents(): Promise<unknown> {
  const counts = TABLES.map(
    (name) =>
      sql`select count(*)::int as n from ${sql.table(name)} where ${name === 'audit' ? sql`action like 'import%'` : sql`true`}`,
  );
  return Promise.all(counts.map(async (count) => (await count.execute(t.deps.db)).rows));
}

test(
  'given any file, an import replies as documented, the server keeps running, and a refused file leaves no data',
  async () => {
    const began = performance.now();
    const faults: string[] = [];
    const statuses: Record<number, number> = {};
    for (let n = 0; n < COUNT; n++) {
      const random = randomFrom(seedOfRun() + n);
      const [way, make] = WAYS[n % WAYS.length] as (typeof WAYS)[number];
      const kind = random.pick(KINDS);
      const file = { name: random.pick(['x.csv', 'x.xlsx', '../x', '=x']), bytes: make(random, kind) };
      const before = await contents();
      const reply = await admin.call(formOf({ [kind]: file }, random.chance(0.5) ? '?dry_run=true' : ''));
      statuses[reply.statusCode] = (statuses[reply.statusCode] ?? 0) + 1;
      const fault = (what: string): void =>
        void faults.push(`${n} ${way} ${kind}: ${what} ${reply.body.slice(0, 200)}`);
      if (reply.statusCode === 200) {
        if (!importSummarySchema.safeParse(reply.json()).success) fault('another reply than documented');
      } else {
        if (![400, 413, 422].includes(reply.statusCode)) fault(`answered ${reply.statusCode}`);
        if (!detailSchema.safeParse(reply.json()).success) fault('another refusal than documented');
        if (JSON.stringify(await contents()) !== JSON.stringify(before)) fault('a refused file left something');
      }
      if ((await t.app.inject({ url: '/healthz' })).statusCode !== 200) fault('the server does not go on');
    }
    keepFigures('import-as-weapon', COUNT, began, { faults: faults.length, refused: COUNT - (statuses[200] ?? 0) });
    expect(faults).toEqual([]);
    // Some files were saved and some refused: if every file failed at its first byte, the test would prove nothing.
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '422']));
    const whole = await admin.call(formOf(FILES, '?dry_run=true'));
    expect(whole.statusCode).toBe(200);
  },
  timeLimit(COUNT, 10_000),
);
