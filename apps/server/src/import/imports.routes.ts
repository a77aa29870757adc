import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { LARGEST_IMPORT_MB, importsEndpoints } from '@clinic/contract';
import type { App, Deps } from '../access/deps.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { addRoute, perMinute } from '../http/route.ts';
import { shownName } from './rows/fields.ts';
import { IMPORT_KINDS, type Answers, type ImportFile, type ImportFiles, type ImportKind } from './import-types.ts';
import { ImportProcesses } from './import-processes.ts';

const LARGEST = LARGEST_IMPORT_MB * 1024 * 1024;
const LARGEST_ANSWERS = 512 * 1024;
const IMPORTS_A_MINUTE = 10;

/** Imports uploaded files, for administrators with access to all locations. */
export async function importsRoutes(app: App, deps: Deps): Promise<void> {
  const rateLimit = perMinute(IMPORTS_A_MINUTE, deps.config);
  const processes = new ImportProcesses();
  // The route has its own scope, so that no other route accepts files.
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { files: 5, fileSize: LARGEST, fields: 1, fieldSize: LARGEST_ANSWERS, parts: 6 },
    });
    addRoute(
      scope as App,
      importsEndpoints.importFiles,
      async ({ query, act, request, reply }) => {
        const { files, answers } = await readForm(request);
        reply.type('application/json; charset=utf-8');
        return processes.run(deps.db, files, {
          answers,
          dryRun: query.dry_run === 'true',
          adminClientName: deps.config.adminClientName,
          accountId: act.caller.id,
          requestId: act.requestId,
          now: act.at,
        });
      },
      { bodyLimit: 3 * LARGEST + LARGEST_ANSWERS + 64 * 1024, rateLimit },
    );
  });
}

interface Form {
  readonly files: ImportFiles;
  readonly answers: Answers;
}

/** Returns the files and answers of a complete and valid form. Throws a Refusal for any other request. */
async function readForm(request: FastifyRequest): Promise<Form> {
  if (!request.isMultipart()) throw refusal('import-not-a-form');
  let timer: NodeJS.Timeout | undefined;
  // The form parser drops a part without a name and then never finishes; this promise ends the wait.
  const stuck = new Promise<never>((_, reject) => {
    const wait = (): void => {
      timer = setTimeout(() => reject(refusal('import-form-broken')), AFTER_THE_END_MS);
    };
    if (request.raw.readableEnded) wait();
    else request.raw.once('end', wait);
  });
  try {
    return await Promise.race([readFiles(request), stuck]);
  } catch (error) {
    throw isFormError(error) ? refusal('import-form-broken') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** How many milliseconds parsing may still take after the form's last byte has arrived. */
const AFTER_THE_END_MS = 3000;

async function readFiles(request: FastifyRequest): Promise<Form> {
  const files: Partial<Record<ImportKind, ImportFile>> = {};
  let answers: Answers = {};
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.fieldname !== 'answers') throw refusal('import-field-unknown');
      answers = readAnswers(String(part.value));
      continue;
    }
    const kind = IMPORT_KINDS.find((each) => each === part.fieldname);
    // The bytes are copied, so that they can be sent to another process.
    const bytes = new Uint8Array(await part.toBuffer());
    if (!kind || files[kind]) {
      throw refusal('import-field-unknown');
    }
    files[kind] = { name: shownName(part.filename, kind), bytes };
  }
  if (Object.keys(files).length === 0) throw refusal('import-without-file');
  return { files, answers };
}

const answersSchema = z.record(z.string(), z.string());

function readAnswers(text: string): Answers {
  try {
    return answersSchema.parse(JSON.parse(text));
  } catch {
    throw refusal('import-answers-unreadable');
  }
}

/**
 * Whether the form parser threw this error because the form ended early or is malformed. Such errors have no status.
 */
const isFormError = (error: unknown): boolean =>
  !(error instanceof Refusal) && (error as { statusCode?: unknown }).statusCode === undefined;
