// Builds the window's page. Lowered to the oldest engine it runs in, one folder, nothing inlined: the page is served under a
// policy that allows only its own files.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  build: {
    target: 'chrome114',
    cssTarget: 'chrome114',
    outDir: '../.artifacts/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
  },
});
