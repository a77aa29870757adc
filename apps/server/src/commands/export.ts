// npm run export -- FOLDER [--changes-since last|DATE]
import { parseArgs } from 'node:util';
import { namedIn, recordExport, scopeOf, type AskedScope } from '../import/export/exports.service.ts';
import { WHOLE } from '../import/export/scope.ts';
import { exportFileName, writeExport } from '../import/export/write-files.ts';
import { IMPORT_KINDS } from '../import/import-types.ts';
import { isoAt } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { codeOf, reasonOf, StartError } from '../start-error.ts';
import { counted, fileGiven, runCommand, withStore } from './run-command.ts';

const USAGE =
  'Usage: npm run export -- FOLDER [--changes-since last] (or since a date and time, such as 2026-11-20T18:00Z)';

await runCommand(async (args) => {
  const { folder, asked } = readOptions(args);
  await withStore('export', async ({ db }, { adminClientName }) => {
    const at = Date.now(); // before the files are read: a later change belongs to the next list of changes
    const scope = await scopeOf(db, asked).catch((error: unknown) => {
      throw error instanceof Refusal ? new StartError(error.message) : error;
    });
    const counts = await writeExport(db, fileGiven(folder), scope, adminClientName).catch((error: unknown) => {
      if (codeOf(error) === undefined) throw error;
      throw new StartError(`The files cannot be written to ${folder}: ${reasonOf(error)}.`);
    });
    const act = { caller: { id: null }, requestId: null, at };
    await recordExport(db, act, asked, { counts, clients: await namedIn(db, scope) });
    const texts = IMPORT_KINDS.map((kind) => `${exportFileName(kind, scope)} (${counted(counts[kind], 'row')})`);
    const what = scope.since === null ? 'Exported' : `Exported what changed here since ${scope.since}`;
    console.log(`${what} to ${folder}: ${texts.join(', ')}. The files hold data about clients: keep them safe.`);
  });
});

function readOptions(args: string[]): { folder: string; asked: AskedScope } {
  try {
    const options = { 'changes-since': { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [folder, ...rest] = positionals;
    if (folder === undefined || rest.length > 0) throw new Error('no folder');
    const { 'changes-since': since } = values;
    return { folder, asked: { ...WHOLE, since: since === undefined ? null : sinceOf(since) } };
  } catch {
    throw new StartError(USAGE);
  }
}

/** `last`, or an instant; a date or time without a zone counts as UTC. */
function sinceOf(text: string): string {
  if (text === 'last') return text;
  const form = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  if (!form) throw new Error('no instant');
  const [, date = '', time = '00:00', zone = 'Z'] = form;
  const at = Date.parse(`${date}T${time}${zone}`);
  if (Number.isNaN(at) || !new Date(`${date}T00:00Z`).toISOString().startsWith(date)) throw new Error('no instant');
  return isoAt(at);
}
