import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/**
 * What the tools keep between runs: Node 24, PostgreSQL's programs, records of finished steps. It may be deleted at any
 * time.
 */
export const RUNTIME = join(ROOT, '.runtime');
