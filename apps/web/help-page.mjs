import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';

const ROOT = join(import.meta.dirname, '..', '..');
const PICTURE = /^pictures\/([\w-]+\.png)$/;
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);
/** As GitHub makes them, so that a link to a heading works in both. */
const anchor = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s+/g, '-');

/**
 * Turns the guide into a page without scripts. Markup in the text is shown as text; links lead to a heading, a page of
 * the product or an https address, and pictures are those of docs/pictures: anything else stops the build.
 * @returns {{ html: string, pictures: string[] }} the page, and the names of its pictures
 */
export function renderGuide(markdown, version) {
  const pictures = [];
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escape(text),
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        if (!/^(#|\/|https:\/\/)/.test(href))
          throw new Error(`the guide has a link that the page cannot have: ${href}`);
        return `<a href="${escape(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        const name = PICTURE.exec(href)?.[1];
        if (!name || !text) throw new Error(`the guide has a picture that the page cannot have: ${href}`);
        pictures.push(name);
        return `<img src="help/${name}" alt="${escape(text)}" loading="lazy">`;
      },
    },
  });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Guide · Scheduler</title>
<link rel="icon" type="image/svg+xml" href="favicon.svg">
<link rel="stylesheet" href="help/help.css">
</head>
<body>
<main>
${marked.parse(markdown)}</main>
<footer>Clinic Scheduler ${escape(version)}</footer>
</body>
</html>
`;
  return { html, pictures };
}

/** Builds docs/guide.md into the page that the server serves at /help. Its addresses are relative, so it also opens as a file. */
export const helpPage = {
  name: 'help-page',
  generateBundle(_options, bundle) {
    const read = (...path) => readFileSync(join(ROOT, ...path));
    const { version } = JSON.parse(read('package.json'));
    const { html, pictures } = renderGuide(read('docs', 'guide.md').toString(), version);
    const font = Object.keys(bundle).find((name) => /instrument-sans-latin-wdth-normal.*\.woff2$/.test(name));
    const face = `@font-face {
  font-family: 'Instrument Sans Variable';
  font-weight: 400 700;
  font-stretch: 75% 100%;
  src: url('../${font}') format('woff2');
}
`;
    const css = [face, ...['tokens.css', 'help.css'].map((name) => read('apps/web/src/styles', name))].join('\n');
    const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
    emit('help.html', html);
    emit('help/help.css', css);
    for (const name of new Set(pictures)) emit(`help/${name}`, read('docs/pictures', name));
  },
};
