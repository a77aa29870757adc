import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { importsEndpoints } from '@clinic/contract';
import { actOf } from '../../platform/access/act.ts';
import type { App, Deps } from '../../platform/deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import { addRoute } from '../../platform/http/route.ts';
import { IMPORT_KINDS, UnreadableFile, type ImportFile, type ImportKind } from './import-types.ts';
import { importTables, readTables } from './imports.service.ts';
import { summarise } from './report.ts';

const LARGEST = 20 * 1024 * 1024;
const IMPORTS_A_MINUTE = 10;

/** Imports by upload, for administrators of all locations. */
export async function importsRoutes(app: App, deps: Deps): Promise<void> {
  const max = Math.max(1, Math.round(IMPORTS_A_MINUTE * deps.config.rateLimit));
  // In a scope of its own: no other route takes files.
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: { files: 3, fileSize: LARGEST, fields: 0, parts: 3 } });
    addRoute(
      scope as App,
      importsEndpoints.importFiles,
      async ({ query, request }) => {
        const { caller, requestId, at } = actOf(request, deps);
        if (caller.locations !== null) {
          throw new Refusal('forbidden-location', {
            message: 'An import touches every location; your account may not work at all of them. Nothing was changed.',
          });
        }
        try {
          const result = await importTables(deps.db, await readTables(await readFiles(request)), {
            dryRun: query.dry_run === 'true',
            adminClientName: deps.config.adminClientName,
            accountId: caller.id,
            requestId,
            now: at,
          });
          return summarise(result);
        } catch (error) {
          if (error instanceof UnreadableFile)
            throw new Refusal('invalid', { message: `${error.message} Nothing was changed.` });
          throw error;
        }
      },
      { bodyLimit: 3 * LARGEST + 64 * 1024, rateLimit: { max, timeWindow: '1 minute' } },
    );
  });
}

async function readFiles(request: FastifyRequest): Promise<Partial<Record<ImportKind, ImportFile>>> {
  if (!request.isMultipart())
    throw new Refusal('unsupported-media', { message: 'Send the files as multipart/form-data. Nothing was changed.' });
  const files: Partial<Record<ImportKind, ImportFile>> = {};
  for await (const part of request.files()) {
    const kind = IMPORT_KINDS.find((each) => each === part.fieldname);
    const bytes = await part.toBuffer();
    if (!kind || files[kind]) {
      throw new Refusal('invalid', {
        message: 'Send each file once, in the field therapists, clients or appointments. Nothing was changed.',
      });
    }
    files[kind] = { name: part.filename.replaceAll(/\p{Cc}/gu, '').slice(0, 100) || `${kind}`, bytes };
  }
  if (Object.keys(files).length === 0)
    throw new Refusal('invalid', { message: 'There is no file to import. Nothing was changed.' });
  return files;
}
