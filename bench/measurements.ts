/** Keeps what the benches print in docs/measurements.md, so that nobody copies figures by hand. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '..', 'docs', 'measurements.md');

/** Runs a part and returns its result, and everything that it printed on standard output. */
export async function printedBy<T>(work: () => Promise<T>): Promise<{ result: T; printed: string }> {
  const write = process.stdout.write.bind(process.stdout);
  const texts: string[] = [];
  process.stdout.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    texts.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return write(chunk, ...rest);
  }) satisfies typeof process.stdout.write;
  try {
    return { result: await work(), printed: texts.join('') };
  } finally {
    process.stdout.write = write;
  }
}

/** Puts the sections of what was printed into the file. Each replaces the section with the same heading. */
export function keepMeasurements(printed: string, file = FILE): void {
  const [intro = '', ...kept] = sectionsOf(existsSync(file) ? readFileSync(file, 'utf8') : '');
  const [, ...fresh] = sectionsOf(printed);
  const sections = new Map([...kept, ...fresh].map((section) => [section.split('\n', 1)[0], section]));
  writeFileSync(file, `${[intro, ...sections.values()].map((each) => each.trim()).join('\n\n')}\n`);
}

/** Splits a text before each of its headings of the second level. */
const sectionsOf = (text: string): string[] => {
  const [first = '', ...rest] = text.split(/^## /m);
  return [first, ...rest.map((each) => `## ${each}`)];
};
