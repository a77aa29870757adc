import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepMeasurements, printedBy } from './measurements.ts';

test('what a part prints replaces its own sections of the document, and the others stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-measurements-'));
  const file = join(folder, 'measurements.md');
  writeFileSync(file, '# Measurements\n\nIntro.\n\n## Slots\n\nold | 1 |\n\n## Calls\n\n| 2 |\n');
  const { result, printed } = await printedBy(() => {
    process.stdout.write('progress\n## Slots\n\n| 3 |\n');
    process.stdout.write('\n## Save\n\n| 4 |\n');
    return Promise.resolve('done');
  });
  keepMeasurements(printed, file);
  const text = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  expect(result).toBe('done');
  expect(text).toBe('# Measurements\n\nIntro.\n\n## Slots\n\n| 3 |\n\n## Calls\n\n| 2 |\n\n## Save\n\n| 4 |\n');
});
