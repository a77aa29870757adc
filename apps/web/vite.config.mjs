import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { zodFree } from './zod-free.mjs';

// In development the pages come from Vite and everything else from the server; API names it.
const server = process.env.API ?? 'http://127.0.0.1:3000';
const proxy = Object.fromEntries(['/api', '/legacy', '/embed'].map((path) => [path, { target: server }]));

export default defineConfig({
  plugins: [react(), zodFree()],
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
  },
});
