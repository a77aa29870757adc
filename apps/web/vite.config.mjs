import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { helpPage } from './help-page.mjs';
import { zodFree } from './zod-free.mjs';

// In development, Vite serves the pages and passes all other requests on to the server, whose address is in API.
const server = process.env.API ?? 'http://127.0.0.1:3000';
const proxy = Object.fromEntries(
  ['/api', '/feeds', '/fhir', '/legacy', '/embed'].map((path) => [path, { target: server }]),
);

// Loads the font together with the page. If it came later, names already on screen would change their width.
const preloadFont = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const font = Object.keys(bundle ?? {}).find((name) => /instrument-sans-latin-wdth-normal.*\.woff2$/.test(name));
      if (!font) return [];
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: true };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

export default defineConfig({
  plugins: [react(), zodFree(), preloadFont, helpPage],
  server: { proxy },
  preview: { proxy },
  build: {
    // All of these browsers support light-dark(), @starting-style and popovers. Older browsers are not supported.
    target: ['chrome125', 'edge125', 'firefox129', 'safari17.5'],
    cssTarget: ['chrome125', 'edge125', 'firefox129', 'safari17.5'],
    // No asset is inlined, since the content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    // The first page loads the list of all pages' files: so only the pages of every morning name theirs, and the others
    // find them one request later.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, dependencies) =>
        /(?:calendar|today|calls)-page/.test(file)
          ? dependencies
          : dependencies.filter((name) => name.endsWith('.css')),
    },
    // One file for everything that each page needs: a dozen small files compress worse and take a request each.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'] },
            // Small parts of most pages, each of which would be a file.
            { name: 'app', test: /\/(plain-field|segmented|time-field|printed-title|to-cancel-words)\.tsx?$/ },
            // What every day on the grid needs: in one file, it is smaller than in one for each page that shares it.
            {
              name: 'day',
              test: new RegExp(
                [
                  'features/calendar/(appointments|bars|labels|lanes|model|rows|row-tops|windowing)\\.ts$',
                  'features/calendar/components/(bar-element|elements|row-element|row-block|use-row-elements|filling|hours|use-roving|calendar-(grid|skeleton))\\.tsx?$',
                  'features/cover/absences/model\\.ts$',
                  'features/workspace/calendar-bridge\\.ts$',
                  'shared/api/(lenient|slots-query|whole-day)\\.ts$',
                  'shared/ui/(date-picker|foreign-location|location-select|use-after-paint)\\.tsx?$',
                ].join('|'),
              ),
            },
          ],
        },
      },
    },
    reportCompressedSize: false,
    // The licenses of the bundled packages, served beside the pages.
    license: { fileName: 'third-party-notices.txt' },
  },
});
