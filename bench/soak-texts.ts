import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAYLOADS, ROUNDS } from '../e2e/fixtures/hostile.ts';

export const TEXTS = 'hostile-texts';
export const TEXTS_COUNT = PAYLOADS.length * ROUNDS;

/**
 * Runs the browser tests that write hostile strings into every stored field and open every screen, once for each way to
 * write the strings.
 * @param count how many strings; a round has fifty and always runs to its end
 * @returns whether no string ran as a script or became an element
 */
export async function runTexts(root: string, results: string, count: number): Promise<boolean> {
  const began = performance.now();
  const rounds = Math.min(ROUNDS, Math.ceil(count / PAYLOADS.length));
  const output = mkdtempSync(join(tmpdir(), 'clinic-texts-'));
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const args = ['test', '-c', join(root, 'e2e', 'playwright.config.ts'), '--output', output, 'security.spec.ts'];
  let failed = 0;
  for (let round = 0; round < rounds; round++) {
    const env = { ...process.env, HOSTILE_ROUND: String(round) };
    const child = spawn(process.execPath, [cli, ...args], { cwd: root, env, stdio: ['ignore', 2, 2] });
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) failed++;
  }
  rmSync(output, { recursive: true, force: true });
  const figures = { 'rounds in which a text ran as a script or became an element': failed };
  const seconds = Math.round((performance.now() - began) / 1000);
  const result = { name: TEXTS, count: rounds * PAYLOADS.length, seconds, at: new Date(), figures };
  writeFileSync(join(results, `${TEXTS}.json`), `${JSON.stringify(result, null, 2)}\n`);
  return failed === 0;
}
