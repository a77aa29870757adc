import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

/** The names of the server's settings, from the schema in its config.ts; none if there is no such file. */
export function settingNames(root = ROOT) {
  const config = join(root, 'apps/server/src/config.ts');
  const text = existsSync(config) ? readFileSync(config, 'utf8') : '';
  const schema = /const SETTINGS = z\.object\(\{([\s\S]*?)\n\}\)/.exec(text)?.[1] ?? '';
  return [...schema.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
}
