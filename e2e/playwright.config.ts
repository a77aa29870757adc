import { defineConfig } from '@playwright/test';
import { browserOptions } from './fixtures/browser.ts';

export default defineConfig({
  testDir: 'specs',
  globalSetup: './fixtures/global-setup.ts',
  outputDir: '../test-results',
  // Each worker starts its own server (fixtures/server.ts), so tests in different workers do not affect each other.
  // The third worker uses the processor time that two leave, while they wait for a page or a server to start.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 30_000 }, // options or a page may take this long to appear on a busy machine
  reporter: [['list']],
  use: {
    launchOptions: browserOptions(),
    viewport: { width: 1440, height: 900 },
    actionTimeout: 60_000, // a step that cannot be done fails as itself, not as the whole test's time-out
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // Tests cannot click a dialog that is still moving, so animations are off.
    contextOptions: { reducedMotion: 'reduce' },
    // No traces: recording them takes an eighth of the total time. CI's second run of a failed file records them
    // (tools/test.mjs).
    screenshot: 'only-on-failure',
  },
});
