import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderGuide } from '../help-page.mjs';

const ROOT = join(import.meta.dirname, '../../..');

const GUIDE = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');

test('given markup in the guide, the page shows it as text', () => {
  const { html } = renderGuide(
    '# A <b>\n\n<script>x</script>\n\nin <i>text</i> and `<u>`, ![a "b" <c>](pictures/a.png)',
    '1"<2',
  );
  const main = /<main>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '';
  expect(main.match(/<[a-z]\w*/g)?.sort()).toEqual(['<code', '<h1', '<img', '<p']);
  expect(main).toContain('&lt;script&gt;');
  expect(main).toContain('alt="a &quot;b&quot; &lt;c&gt;"');
  expect(html).toContain('Clinic Scheduler 1&quot;&lt;2');
  expect(html).not.toContain('<script');
});

test.each([
  '[x](javascript:alert)',
  '[x](http://a.example)',
  '[x](operations.md)',
  '![x](https://a.example/b.png)',
  '![](pictures/a.png)',
])('given a link or picture that the page cannot have, the build stops: %s', (text) =>
  expect(() => renderGuide(text, '1')).toThrow('that the page cannot have'),
);

test('the guide’s links to its own parts lead somewhere, and its pictures exist', () => {
  const { html, pictures } = renderGuide(GUIDE, '1');
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(links).size).toBe(links.length);
  expect(ids).toEqual(expect.arrayContaining(links));
  expect(ids).toContain('first-account'); // the login page leads there
  for (const name of pictures) expect(existsSync(join(ROOT, 'docs/pictures', name))).toBe(true);
});

test('what the guide names in italics is written so on the pages', () => {
  const sources = ['apps/web/src', 'packages/domain/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const named = [...GUIDE.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThan(40);
  const word = (name: string): string => name.replace(/\.$/, '').toLowerCase();
  const all = sources.join('\n').toLowerCase();
  expect([...new Set(named)].filter((name) => !all.includes(word(name)))).toEqual([]);
});
