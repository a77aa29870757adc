import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBrowser } from './lib/browser.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-browsers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(...path: string[]): string {
  const made = join(folder, ...path);
  mkdirSync(dirname(made), { recursive: true });
  writeFileSync(made, '#!/bin/sh\n', { mode: 0o755 });
  return made;
}
const found = (more: object = {}): string | undefined => {
  const env = { PATH: join(folder, 'bin'), PLAYWRIGHT_BROWSERS_PATH: join(folder, 'playwright'), ...more };
  return findBrowser(env, []);
};

test('given a whole browser and a headless shell, the headless shell is used', () => {
  program('bin', 'chromium');
  const shell = program('bin', 'chromium-headless-shell');
  expect(found()).toBe(shell);
});

test('given several headless shells that Playwright downloaded, the newest that can run is used', () => {
  const shell = ['chrome-headless-shell-linux64', 'chrome-headless-shell'];
  program('playwright', 'chromium_headless_shell-999', ...shell);
  const newest = program('playwright', 'chromium_headless_shell-1200', ...shell);
  mkdirSync(join(folder, 'playwright', 'chromium_headless_shell-1300')); // a download that was cut off
  program('bin', 'chromium');
  expect(found()).toBe(newest);
});

test('the browser that CHROMIUM names is used, and no other if it is not a program', () => {
  program('bin', 'chromium-headless-shell');
  const named = program('elsewhere', 'browser');
  expect(found({ CHROMIUM: named })).toBe(named);
  expect(found({ CHROMIUM: join(folder, 'nothing') })).toBeUndefined();
});
