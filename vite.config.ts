// Builds the window's page. Lowered to the oldest engine it runs in, one folder, nothing inlined: the page is served under a
// policy that allows only its own files.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// A test that builds the page has another value here, and the list of tickets then believes it is drawn without a screen.
process.env['NODE_ENV'] = 'production';

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
