// Builds three files into dist, or into the folder that is named: the timeslot modal, as one classic script that any page can load, and a module each for
// the legacy page and the demonstration page. `public/` (HTML and styles) is copied beside them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const outDir = process.argv[2] ?? 'dist';
const root = fileURLToPath(new URL('.', import.meta.url));

interface Part {
  entry: string;
  format: 'iife' | 'es';
  file: string;
  first?: boolean;
}

const parts: Part[] = [
  { entry: 'src/modal/main.tsx', format: 'iife', file: 'embed/timeslot-cancel.js', first: true },
  { entry: 'src/legacy/main.ts', format: 'es', file: 'legacy/app.js' },
  { entry: 'src/demo/main.ts', format: 'es', file: 'embed/demo.js' },
];

/** Inserts the product's color tokens into the modal's style sheet, so that each color is defined only once. */
function productTokens(): Plugin {
  const file = new URL('../web/src/styles/tokens.css', import.meta.url);
  return {
    name: 'product-tokens',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/modal/modal.css')) return null;
      const tokens = new Map(
        [...readFileSync(file, 'utf8').matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]),
      );
      const used = [...new Set([...code.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name))];
      const missing = used.filter((name) => !tokens.has(name));
      if (missing.length > 0) throw new Error(`modal.css uses ${missing.join(', ')}, which tokens.css does not have`);
      return code.replace('/* tokens */', used.map((name) => `${name}: ${tokens.get(name)};`).join('\n  '));
    },
  };
}

for (const part of parts) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [productTokens()],
    publicDir: part.first ? 'public' : false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: part.first === true,
      target: 'es2022',
      // The build leaves light-dark() as it is: every browser with constructed style sheets and native dialogs supports
      // it.
      cssTarget: ['chrome125', 'firefox125', 'safari17.5'],
      minify: true,
      license: { fileName: part.file.replace(/\.js$/, '.notices.txt') },
      lib: { entry: part.entry, formats: [part.format], name: 'TimeslotCancelScript', fileName: () => part.file },
    },
  });
}
