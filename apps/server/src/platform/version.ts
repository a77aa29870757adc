import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const PRODUCT = join(import.meta.dirname, '../../../../package.json');

/** The product's version, as package.json says. The log, `/healthz` and the guide's page show it. */
export const VERSION = z.parse(z.object({ version: z.string() }), JSON.parse(readFileSync(PRODUCT, 'utf8'))).version;
