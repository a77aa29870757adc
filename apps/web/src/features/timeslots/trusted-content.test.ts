import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { legacyPolicy } from './trusted-content.ts';

beforeEach(() => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { href: 'https://clinic.example/scheduler', origin: 'https://clinic.example' });
});
afterEach(() => vi.unstubAllGlobals());

test.each(['/legacy/app.js', '/legacy/app.js?visit=2', 'https://clinic.example/legacy/app.js'])(
  '%s is accepted as a script of the legacy page',
  (text) => {
    expect(legacyPolicy().createScriptURL(text)).toBe(text);
  },
);

test.each([
  'https://evil.example/legacy/app.js',
  '//evil.example/legacy/app.js',
  '/assets/app.js',
  '/legacy/../assets/app.js',
  '/legacy/..%2fassets/app.js',
  '/legacyx/app.js',
  '/LEGACY/app.js',
  'javascript:alert(1)',
  'data:text/javascript,alert(1)',
  'blob:https://clinic.example/legacy/app.js',
])('%s is refused as a script of the legacy page', (text) => {
  expect(() => legacyPolicy().createScriptURL(text)).toThrow(TypeError);
});
