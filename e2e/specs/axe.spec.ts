import { faultsInBothThemes } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/test.ts';

/** An accessible page, with the given style and markup added. */
const pageWith = (style: string, added: string): string =>
  `<!doctype html><html lang="en"><head><title>Page</title><style>
     :root { color-scheme: light dark; color: light-dark(#111, #eee); background: light-dark(#fff, #111) }
     a { color: light-dark(#00c, #9cf) }
     ${style}
   </style></head><body>
     <main><h1>Page</h1><p>Some words with <a href="#x">a link</a>.</p>${added}</main>
   </body></html>`;

test('the check of both themes finds a structural violation, and a color violation in either theme', async ({
  page,
}) => {
  const found = async (style: string, added = ''): Promise<string[]> => {
    await page.setContent(pageWith(style, added));
    return (await faultsInBothThemes(page)).map((fault) => fault.replace(/: <[^]*$/, ''));
  };
  expect(await found('')).toEqual([]);
  expect(await found('', '<input>')).toEqual(['label']);
  expect(await found('h1 { color: light-dark(#ccc, #eee) }')).toEqual(['color-contrast']);
  expect(await found('h1 { color: light-dark(#111, #333) }')).toEqual(['dark theme: color-contrast']);
  const pale = 'a { color: #ccc; text-decoration: none }'; // the link hardly differs from the text around it
  expect(await found(`@media (prefers-color-scheme: dark) { ${pale} }`)).toEqual(['dark theme: link-in-text-block']);
  // Of rows of a kind one is checked, and each row of another kind.
  const rows = (...classes: string[]): string =>
    `<ul>${classes.map((each, i) => `<li class="${each}">Row ${i}</li>`).join('')}</ul>`;
  const faint = '.faint { color: light-dark(#ccc, #eee) }';
  expect(await found(faint, rows('', '', 'faint', 'faint'))).toEqual(['color-contrast']);
  expect(await found('li:nth-child(2) { color: light-dark(#ccc, #eee) }', rows('', ''))).toEqual([]);
  // Behind an open modal dialog, nothing is checked.
  await page.setContent(pageWith('', '<input><dialog aria-label="Choose"><select></select></dialog>'));
  await page.evaluate(() => document.querySelector('dialog')?.showModal());
  expect(await faultsInBothThemes(page)).toEqual([expect.stringContaining('select-name')]);
});
