import { expect, test } from 'vitest';
import { buildTestApp } from '../testing/test-app.ts';
import type { App } from '../access/deps.ts';

const faulty = (app: App): void => {
  const config = { access: 'public', rateLimit: false } as const;
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const cut = new Error('Connection terminated unexpectedly');
  app.get('/api/test/away', { config }, () => Promise.reject(away));
  app.post('/api/test/cut', { config }, () => Promise.reject(cut));
  app.get('/api/test/fault', { config }, () => Promise.reject(new Error('a fault of the server itself')));
};

test('while the database is away, the log has one error for each kind of trouble, however many requests fail', async () => {
  const t = await buildTestApp({ extraRoutes: [faulty] });
  try {
    for (let n = 0; n < 20; n++) {
      expect((await t.app.inject({ url: '/api/test/away' })).statusCode).toBe(503);
      expect((await t.app.inject({ method: 'POST', url: '/api/test/cut' })).statusCode).toBe(503);
      expect((await t.app.inject({ url: '/api/test/fault' })).statusCode).toBe(500);
    }
    const failed = t.logLines.filter((line) => line.includes('"msg":"request failed"'));
    expect(failed).toHaveLength(20 + 2); // each fault of the server itself, and one error for each trouble of the database
    expect(t.logLines.filter((line) => line.includes('"status":503'))).toHaveLength(40);
  } finally {
    await t.close();
  }
});
