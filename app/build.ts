// `npm run build`: the renderer, and main process and preload of the window as CommonJS, into .artifacts.
import path from 'node:path';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

async function bundle(name: 'main' | 'preload', target: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      target,
      outDir: '.artifacts/app',
      emptyOutDir: false,
      minify: false,
      lib: { entry: `app/${name}.ts`, formats: ['cjs'], fileName: () => `${name}.cjs` },
      rolldownOptions: { external: ['electron', /^node:/] },
    },
  });
}

await Promise.all([
  build({ configFile: path.join(root, 'vite.config.ts'), root: path.join(root, 'renderer'), logLevel: 'warn' }),
  bundle('main', 'node18'),
]);
await bundle('preload', 'chrome114');
