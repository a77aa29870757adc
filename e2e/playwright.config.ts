import { defineConfig } from '@playwright/test';
import { browserOptions } from './fixtures/browser.ts';

export default defineConfig({
  testDir: 'specs',
  globalSetup: './fixtures/global-setup.ts',
  outputDir: '../test-results',
  // Each worker starts its own server (fixtures/server.ts), so that no test sees what another one does.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 30_000 }, // an option, or a page, may take this long on a busy machine
  reporter: [['list']],
  use: {
    launchOptions: browserOptions(),
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    contextOptions: { reducedMotion: 'reduce' }, // a dialog that is still moving cannot be clicked
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
