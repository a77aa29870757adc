// npm run import -- --therapists F --clients F --appointments F --authorizations F --credentials F [--answer "QUESTION=ANSWER"]... [--dry-run] [--report OUT.csv] [--json]
import { constants } from 'node:fs';
import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/connection.ts';
import {
  IMPORT_KINDS,
  UnansweredQuestions,
  UnreadableFile,
  type ImportFile,
  type ImportKind,
} from '../import/import-types.ts';
import { shownName } from '../import/rows/fields.ts';
import { importFiles } from '../import/imports.service.ts';
import { openQuestionsText, reportCsv, summarize, summaryText } from '../import/report.ts';
import { codeOf, reasonOf, StartError } from '../start-error.ts';
import { demoLives } from '../db/demo/load-demo.ts';
import { Refusal } from '../platform/refusal.ts';
import { fileGiven, runCommand, withStore } from './run-command.ts';

const USAGE =
  'Usage: npm run import -- [--therapists FILE] [--clients FILE] [--appointments FILE] [--authorizations FILE] [--credentials FILE] [--answer "QUESTION=ANSWER"]... [--dry-run] [--report OUT.csv] [--json]';
const LARGEST = 200 * 1024 * 1024;

await runCommand(async (args) => {
  const options = readOptions(args);
  const files: Partial<Record<ImportKind, ImportFile>> = {};
  for (const kind of IMPORT_KINDS) {
    const path = options[kind];
    if (path !== undefined) files[kind] = { name: shownName(basename(path), kind), bytes: await readInput(path) };
  }
  if (Object.keys(files).length === 0) throw new StartError(`Nothing to import. ${USAGE}`);
  if (options.report !== undefined) await checkReport(options.report, files, options);
  await withStore('import', (store, config) => importInto(store, config, files, options), {
    statementTimeoutMs: 300_000,
  });
});

async function importInto(
  store: OpenDatabase,
  config: Config,
  files: Partial<Record<ImportKind, ImportFile>>,
  options: Options,
): Promise<void> {
  const demo = await demoLives(store.db);
  if (demo)
    console.error(
      'Note: this database holds the demo clinic, whose accounts end with the first import. For real work, import into an empty database with DEMO=off.',
    );
  const result = await importFiles(store.db, files, {
    dryRun: options.dryRun,
    adminClientName: config.adminClientName,
    accountId: null,
    now: Date.now(),
    answers: options.answers,
  }).catch((error: unknown) => {
    if (error instanceof UnansweredQuestions)
      throw new StartError(`Nothing was written. ${openQuestionsText(error.questions)}`);
    if (error instanceof UnreadableFile) throw new StartError(`${error.message} Nothing was written.`);
    if (error instanceof Refusal) throw new StartError(`${error.message} (${reasonOf(error.cause)})`);
    throw error;
  });
  const summary = summarize(result);
  if (options.json) console.log(JSON.stringify(summary));
  else {
    console.log(summaryText(summary));
    const hint = summary.files.some((file) => file.refused > 0)
      ? 'To see each refused row and the reason, add --report OUT.csv.'
      : '';
    if (options.report === undefined && hint) console.log(hint);
  }
  if (options.report !== undefined) await writeReport(options.report, reportCsv(result), options.dryRun);
}

interface Options extends Partial<Record<ImportKind, string>> {
  readonly report?: string;
  /** The answers by the keys of their questions. */
  readonly answers: Readonly<Record<string, string>>;
  readonly dryRun: boolean;
  readonly json: boolean;
}

function readOptions(args: string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values } = parseArgs({
      args,
      options: {
        therapists: text,
        clients: text,
        appointments: text,
        authorizations: text,
        credentials: text,
        report: text,
        answer: { type: 'string', multiple: true, default: [] },
        'dry-run': flag,
        json: flag,
      },
    });
    const { 'dry-run': dryRun, json, answer, ...paths } = values;
    return { ...paths, answers: Object.fromEntries(answer.map(readAnswer)), dryRun, json };
  } catch (error) {
    throw new StartError(`${reasonOf(error)} ${USAGE}`);
  }
}

/** Splits `column appointments canceled=Cancelled` into the question and its answer. */
function readAnswer(text: string): readonly [question: string, answer: string] {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) throw new Error(`--answer ${text} is not QUESTION=ANSWER.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function readInput(path: string): Promise<Uint8Array> {
  try {
    const found = await stat(fileGiven(path));
    if (found.isDirectory()) throw new StartError(`${path} is a folder, not a file. Nothing was written.`);
    if (found.size > LARGEST)
      throw new StartError(`${path} is larger than ${LARGEST / 1024 / 1024} MB: split it. Nothing was written.`);
    return await readFile(fileGiven(path));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const missing = codeOf(error) === 'ENOENT';
    throw new StartError(
      `${missing ? `There is no file ${path}.` : `${path} cannot be read: ${reasonOf(error)}.`} Nothing was written.`,
    );
  }
}

/**
 * Checks before the import that the report can be written, because a failure after the import would lose the report.
 */
async function checkReport(
  path: string,
  files: Partial<Record<ImportKind, ImportFile>>,
  options: Options,
): Promise<void> {
  const target = fileGiven(path);
  if (IMPORT_KINDS.some((kind) => files[kind] && fileGiven(options[kind] ?? '') === target)) {
    throw new StartError(`The report ${path} would overwrite one of the files to import. Nothing was written.`);
  }
  try {
    const found = await stat(target).catch(() => undefined);
    if (found?.isDirectory()) throw new Error('it is a folder');
    await access(found ? target : dirname(target), constants.W_OK);
  } catch (error) {
    throw new StartError(`The report ${path} cannot be written: ${reasonOf(error)}. Nothing was imported.`);
  }
}

async function writeReport(path: string, csv: string, dryRun: boolean): Promise<void> {
  try {
    await writeFile(fileGiven(path), csv);
  } catch (error) {
    const done = dryRun ? 'The dry run is done' : 'The import is done';
    throw new StartError(`${done}, but the report ${path} cannot be written: ${reasonOf(error)}.`);
  }
}
