import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const FHIR = 'fhir';

/**
 * Gives one reply of each kind to HL7's own validator (HAPI, from Maven, on Java 17), with the definitions of R4 in its
 * packages. Needs `java` and `mvn`.
 * @param results the folder for the result
 * @returns whether the validator found no error
 */
export function runFhir(root: string, results: string): boolean {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'clinic-fhir-'));
  const run = (name: string, args: readonly string[], env = {}): { fine: boolean; out: string } => {
    const stdio = ['ignore', 'pipe', 2] as const;
    const { status, stdout, error } = spawnSync(name, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: [...stdio],
    });
    if (error) process.stderr.write(`${name} cannot be started: ${error.message}\n`);
    return { fine: status === 0, out: String(stdout ?? '') };
  };
  try {
    const replies = join(folder, 'replies');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const file = 'apps/server/src/records/fhir/replies.test.ts';
    const made = run(process.execPath, [vitest, 'run', '--project', 'integration', file], { FHIR_REPLIES: replies });
    if (!made.fine) return false;
    const validator = join(root, 'tools/fhir-validator');
    const path = join(folder, 'classpath');
    const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${path}`];
    if (!run('mvn', ['-q', '-B', '-f', join(validator, 'pom.xml'), ...goal]).fine) return false;
    const { fine, out } = run('java', [
      '-cp',
      readFileSync(path, 'utf8').trim(),
      join(validator, 'Validate.java'),
      replies,
    ]);
    process.stderr.write(out);
    const figures = JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as Record<string, number>;
    const seconds = Math.round((performance.now() - began) / 1000);
    const result = { name: FHIR, count: figures['files'] ?? 0, seconds, at: new Date(), figures };
    writeFileSync(join(results, `${FHIR}.json`), `${JSON.stringify(result, null, 2)}\n`);
    return fine;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
