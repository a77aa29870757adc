import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../testing/pages.tsx';

for (const path of ['/accounts', '/audit', '/causes', '/import', '/export', '/differences', '/programs'])
  test(`given a scheduler, ${path} says that only administrators can open it, and asks the server for nothing of it`, async () => {
    const { asked } = await openPage(path, { replies: [] });
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Only administrators .*can open this page\./);
    expect(asked.filter((each) => !['/session', '/events'].includes(each))).toEqual([]);
  });
