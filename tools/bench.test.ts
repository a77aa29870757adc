import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

function run(script: string, ...args: string[]): { code: number | null; out: string; err: string } {
  const path = join(import.meta.dirname, '..', script);
  // A benchmark that starts by mistake is stopped, and then there is no code.
  const child = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8', timeout: 60_000 });
  return { code: child.status, out: child.stdout, err: child.stderr };
}

describe.each(['bench/index.ts', 'bench/soak.ts'])('%s', (script) => {
  test('--help prints the usage and measures nothing', () => {
    const { code, out, err } = run(script, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^npm run \w+ {2,}\w/);
    expect(out).not.toContain('|');
  });

  test('an unknown name and an unknown flag are refused in a sentence, and nothing is measured', () => {
    for (const [arg, sentence] of [
      ['calender', /^There is no \w+ 'calender'\./],
      ['--quik', /^Unknown option '--quik'\.\n/],
    ] as const) {
      const { code, out, err } = run(script, arg);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(sentence);
    }
  });
});

test('bench: a part’s flag without that part is refused, and so are two parts at once', () => {
  expect(run('bench/index.ts', '--hard').err).toMatch(/^Name the part that '--hard' belongs to\.\n/);
  expect(run('bench/index.ts', 'calls', 'save').err).toMatch(/^Name one part, or none to run all of them\.\n/);
});

test('pictures: an argument is refused before any picture is taken', () => {
  expect(run('e2e/pictures.ts', '--help')).toMatchObject({ code: 1, out: '' });
});
