import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { zodFree } from './zod-free.mjs';

// In development the pages come from Vite and everything else from the server; API names it.
const server = process.env.API ?? 'http://127.0.0.1:3000';
const proxy = Object.fromEntries(['/api', '/legacy', '/embed'].map((path) => [path, { target: server }]));

// The font loads with the page; loaded only after the style sheet, it would change the width of names already drawn.
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
  plugins: [react(), zodFree(), preloadFont],
  server: { proxy },
  preview: { proxy },
  build: {
    // Browsers that know light-dark(), @starting-style and popovers: nothing is transpiled for older ones.
    target: ['chrome125', 'edge125', 'firefox129', 'safari17.5'],
    cssTarget: ['chrome125', 'edge125', 'firefox129', 'safari17.5'],
    // The content security policy allows no data: sources, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licences of what is bundled, served beside the pages.
    license: { fileName: 'third-party-notices.txt' },
  },
});
