/**
 * Loaded before everything else (`node --import`), this gives the engine and the checker a day of 870 slots: each minute
 * from 00:00 to 14:30. Clinics have 48 slots, so the code has them as constants, which are quicker and plainer than a
 * number in each problem.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const DAYS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  '/packages/domain/src/grid.ts': [
    ['SLOT_MINUTES = 15;', 'SLOT_MINUTES = 1;'],
    ['DAY_START = 7 * 60;', 'DAY_START = 0;'],
    ['DAY_END = 19 * 60;', 'DAY_END = 870;'],
  ],
  '/packages/cover-engine/src/proof/judge-model.ts': [
    ['SLOTS = 48;', 'SLOTS = 870;'],
    ['DAY_START = 7 * 60;', 'DAY_START = 0;'],
    ['SLOT = 15;', 'SLOT = 1;'],
  ],
};

registerHooks({
  load(url, context, nextLoad) {
    const edits = Object.entries(DAYS).find(([file]) => url.endsWith(file))?.[1];
    if (!edits) return nextLoad(url, context);
    let source = readFileSync(fileURLToPath(url), 'utf8');
    for (const [usual, ours] of edits) {
      if (!source.includes(usual)) throw new Error(`${url} does not say ${usual}`);
      source = source.replace(usual, ours);
    }
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
