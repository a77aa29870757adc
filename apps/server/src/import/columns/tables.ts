import { readFileSync } from 'node:fs';

/** Reads a table beside this file, without its header. No cell contains a comma; `|` separates the parts of a cell. */
export const readTable = (name: string): string[][] =>
  readFileSync(new URL(`${name}.csv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
