import { join } from 'node:path';
import { startDemoPage } from '../../demo/page.ts';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import { launchBrowser, type ExtensionBrowser } from '../browser.ts';
import { root } from '../paths.ts';
import type { StartOptions } from './args.ts';
import { addProvider, command, readSetup } from './extension.ts';
import { Failure } from './failure.ts';
import type { Lifetime } from './lifetime.ts';
import { demoProviderName, provideModel } from './model.ts';
import { installInProfile } from './native-host.ts';
import { setUpServers } from './servers.ts';

const profile = join(root, '.profile');

/** Opens a browser ready to chat, with the profile kept in the checkout. Resolves when the browser is closed. */
export async function runHeaded(options: StartOptions, extension: string, lifetime: Lifetime): Promise<void> {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    throw new Failure(
      'There is no display to open a window on.',
      'Run this in a desktop session, or ask without a window: npm start -- --headless --ask "Add 2 and 40 with the sum tool"',
    );
  }
  const page = await startDemoPage();
  lifetime.add(page.stop);
  if (process.platform !== 'win32') await installInProfile(profile);
  const browser = await launch(extension);
  lifetime.add(browser.close);
  const closed = browser.context.waitForEvent('close', { timeout: 0 });
  await setUp(browser, options, lifetime);
  await browser.openPanel();
  await browser.options.goto(page.url);
  process.stderr.write('portside: ready. Ask in the side panel; Ctrl-C here ends everything.\n');
  await closed;
}

async function launch(extension: string): Promise<ExtensionBrowser> {
  try {
    return await launchBrowser({ extension, headless: false, profile });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw isProfileTaken(message)
      ? new Failure('Another npm start is running in this checkout. End it first, or use its browser.')
      : new Failure('The browser did not start.', message, 'To begin anew, delete the folder .profile.');
  }
}

/** Playwright gives no sign of it but the first line of a long message. */
function isProfileTaken(message: string): boolean {
  return /^.*(?:ProcessSingleton|already in use)/.test(message);
}

/** Brings what the profile holds up to date. A provider that the user chose there stays chosen over the demo model. */
async function setUp(browser: ExtensionBrowser, options: StartOptions, lifetime: Lifetime): Promise<void> {
  const { options: page } = browser;
  const setup = await readSetup(page);
  const provider = await provideModel(options.model, lifetime);
  const providerId = await addProvider(page, provider, setup.providers);
  const chosen = setup.providers.find(({ id }) => id === setup.newChat.providerId);
  if (!chosen || provider.name !== demoProviderName) {
    await command(page, 'setChat', { conversationId: NEW_CHAT, providerId, model: null });
  }
  const { maxIterations } = options;
  if (maxIterations !== undefined) await command(page, 'saveSettings', { maxIterations });
  await setUpServers(page, options, lifetime, setup.servers);
}
