import preactPlugin from '@preact/preset-vite';
import { defineConfig } from 'vite';

/** Serves the gallery without an extension around it: `vite entrypoints/gallery`, then `/?state=answer&theme=dark`. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../../node_modules/.cache/gallery',
  plugins: [preactPlugin()],
  server: { host: '127.0.0.1', port: 4173 },
});
