import { readFileSync } from 'node:fs';
import preactPlugin from '@preact/preset-vite';
import { defineConfig } from 'wxt';
import { buildNativeHost } from './scripts/build-native-host.ts';
import { licenseTexts } from './scripts/licenses.ts';
import { llamaWorker, wasmFile } from './scripts/llama-worker.ts';
import { dropUnusedSchemas, leaveOut } from './scripts/leave-out.ts';
import { parsedTexts, textTypes, translatedFiles } from './scripts/texts.ts';
import { RUNTIME, WORKER } from './lib/models/gguf/files.ts';
import { INSTALLER } from './lib/types/native-host.ts';

/**
 * `PORTSIDE_GRANTED=1` builds the variant whose optional permissions are granted at install: a headless
 * browser cannot answer a permission dialog. `npm start` and the browser tests use it; a release never does.
 */
const granted = process.env['PORTSIDE_GRANTED'] === '1';
/** Chrome Web Store takes no manifest with a `key`, which it makes itself. */
const isForStore = process.env['PORTSIDE_STORE'] === '1';
// `<all_urls>` besides, since a screenshot needs just that.
const everyHost = ['http://*/*', 'https://*/*', '<all_urls>'];

/** WebAssembly for a model of the user's, which only Chromium's build can run (docs/local-model.md). */
const scriptsIn = (browser: string): string =>
  browser === 'firefox' ? "script-src 'self'" : "script-src 'self' 'wasm-unsafe-eval'";

/** Makes the extension's id the same in every unpacked build; its private half was thrown away. */
const publicKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsw/IrkXHzzxzIv1jXZ7D85C+cMlNzEGwa9lYwJm4bwAVCEb/f3h1Q+CjiQAJ6aJPVO7l8GMksG2ees9SeYV79AdlV8L8fGqFC60EQxLBnerAg7STES86jVih8WpU3n9E9L6n6HvmZ/N+MOFw9zSTj+20b53PY5zRnLSxqj/pLj9JyMd9Dq4+HhexGIVY68ccoZVDBUjarDZzURvo+8Zi30Fm+c7ntiiRzBt9Jb/cNaka2E9SuqfdoPWvlXx17Nf8Zy2/fOKSHnVNdQ0UJBnQhryX0mb7o+646BDVqZK9ti5wB0+02C/+RXyfpYlb1yooiFzQUhiM0tYLDgkR10p39wIDAQAB';

export default defineConfig({
  modules: ['@wxt-dev/webextension-polyfill', '@wxt-dev/auto-icons'],
  imports: false,
  manifestVersion: 3,
  outDirTemplate:
    process.env['PORTSIDE_OUTPUT'] ??
    (granted ? '{{browser}}-mv{{manifestVersion}}-granted' : '{{browser}}-mv{{manifestVersion}}'),
  zip: {
    artifactTemplate: `{{name}}-{{packageVersion}}-{{browser}}${isForStore ? '-store' : ''}.zip`,
    sourcesTemplate: '{{name}}-{{packageVersion}}-sources.zip',
    zipSources: true,
    // What a build reads, and no more.
    includeSources: [
      '{assets,components,entrypoints,lib,locales,native-host,public,scripts}/**',
      'docs/troubleshooting.md', // the app shows it
      '*.{json,ts,md}',
      'LICENSE',
    ],
    excludeSources: ['native-host/dist/**'],
  },
  autoIcons: { baseIconPath: 'assets/icon.svg', developmentIndicator: false },
  hooks: {
    'prepare:types': (_wxt, entries) =>
      void entries.push({ path: 'types/texts.d.ts', text: textTypes(), tsReference: true }),
    'build:publicAssets': async (wxt, files) => {
      files.push(
        ...translatedFiles(),
        { relativeDest: INSTALLER, contents: readFileSync(await buildNativeHost(), 'utf8') },
        { relativeDest: 'LICENSES.txt', contents: licenseTexts() },
      );
      // Firefox has no document that could run it without a window.
      if (wxt.config.browser !== 'firefox')
        files.push(
          { relativeDest: RUNTIME, absoluteSrc: wasmFile() },
          { relativeDest: WORKER, contents: await llamaWorker() },
        );
    },
    // WXT leaves a page that this browser's build has no use for out of the sources, which are to build every zip.
    'zip:extension:done': ({ hooks }) =>
      void hooks.hook('entrypoints:resolved', (_wxt, entries) => {
        for (const entry of entries) entry.skipped = false;
      }),
  },
  vite: () => ({
    plugins: [preactPlugin(), leaveOut(), dropUnusedSchemas(), parsedTexts()],
    // What is late comes from the disk: to list what each chunk imports costs more than it saves.
    build: {
      modulePreload: { resolveDependencies: (_, urls, { hostType }) => (hostType === 'html' ? urls : []) },
    },
  }),
  manifest: ({ browser }) => ({
    name: 'Portside',
    default_locale: 'en',
    description: '__MSG_description__',
    permissions: [
      'activeTab',
      'alarms',
      'contextMenus',
      'declarativeNetRequestWithHostAccess',
      'identity',
      'scripting',
      'storage', // its `session`: an unlocked key, which never comes to a disk; and `managed`: docs/fleet.md
      ...(browser === 'firefox' ? [] : ['offscreen', 'sidePanel']),
      ...(granted ? ['nativeMessaging', 'notifications'] : []),
    ],
    ...(granted
      ? { host_permissions: everyHost }
      : {
          optional_host_permissions: everyHost,
          optional_permissions: ['nativeMessaging', 'notifications', 'tabs'],
        }),
    incognito: 'not_allowed',
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: 'portside@portside.dev',
              strict_min_version: '140.0',
              data_collection_permissions: { required: ['none'] },
            },
          },
        }
      : {
          ...(!isForStore && { key: publicKey }),
          minimum_chrome_version: '126',
          storage: { managed_schema: 'managed-schema.json' },
        }),
    action: { default_title: '__MSG_open__' },
    // Chromium has Alt+Shift+P itself, and gives no extension a key of its own. Those that ask at once are named like the entries of the context menu whose question they ask.
    commands: {
      [browser === 'firefox' ? '_execute_sidebar_action' : '_execute_action']: {
        suggested_key: { default: 'Alt+Shift+O' },
        description: '__MSG_open__',
      },
      'selection-ask': {
        suggested_key: { default: 'Alt+Shift+S' },
        description: '__MSG_askSelection__',
      },
      'quick-ask': {
        suggested_key: { default: 'Alt+Shift+Q' },
        description: '__MSG_quickAsk__',
      },
      'page-ask': {
        suggested_key: { default: 'Alt+Shift+G' },
        description: '__MSG_askPage__',
      },
    },
    omnibox: { keyword: 'ps' },
    // In Firefox before 154 the frame's own attribute has to do: https://bugzilla.mozilla.org/show_bug.cgi?id=1685123
    ...(browser === 'firefox' ? {} : { sandbox: { pages: ['reader.html', 'app-frame.html'] } }),
    content_security_policy: {
      ...(browser === 'firefox'
        ? {}
        : {
            // As much as an app may be allowed: its own policy is what holds (lib/mcp/apps/document.ts), and the reader has one
            // of its own (public/reader.html).
            sandbox:
              "sandbox allow-scripts allow-forms; default-src 'none'; " +
              "script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob: data: http: https:; " +
              "worker-src blob: data:; style-src 'unsafe-inline' blob: data: http: https:; " +
              'img-src data: blob: http: https:; font-src data: blob: http: https:; media-src data: blob: http: https:; ' +
              'connect-src data: blob: http: https: ws: wss:; frame-src http: https:; base-uri http: https:; ' +
              "form-action 'none'; frame-ancestors 'self'",
          }),
      // https: for an image of an answer whose button the user pressed (components/markdown/inline.ts); nothing else
      // that others say can become an element that loads something.
      extension_pages:
        `default-src 'none'; ${scriptsIn(browser)}; style-src 'self'; img-src 'self' data: blob: https:; media-src data: blob:; ` +
        "connect-src 'self' http: https:; frame-src 'self'; base-uri 'none'; form-action 'none'; " +
        `frame-ancestors ${browser === 'firefox' ? "'self'" : "'none'"}`,
    },
  }),
});
