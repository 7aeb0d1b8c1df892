import { launchBrowser, type ExtensionBrowser } from '../browser.ts';
import type { StartOptions } from './args.ts';
import { createChatCopy } from './chat-copy.ts';
import { ask, type Asked, type Chat } from './conversation.ts';
import { addProvider, command, readConversation, type StoredConversation } from './extension.ts';
import { Failure, failureOf, sayFailure } from './failure.ts';
import type { Lifetime } from './lifetime.ts';
import { provideModel } from './model.ts';
import { temporaryProfile } from './native-host.ts';
import { setUpServers } from './servers.ts';
import { type Tap, tapPanel } from './tap.ts';
import { createTranscript } from './transcript.ts';

/** How the command as a whole is ended from outside its main course. */
export type Stop = { signal: AbortSignal; fail: (error: unknown) => void };

/**
 * Asks the questions in the real side panel of a browser without a window, and prints what happens.
 * @throws Failure when the last run did not end `done`
 */
export async function runHeadless(
  options: StartOptions,
  extension: string,
  lifetime: Lifetime,
  { signal, fail }: Stop,
): Promise<void> {
  if (options.approveByDefault)
    process.stderr.write('portside: every tool call is approved (--approve all).\n');
  const provider = await provideModel(options.model, lifetime);
  const tapping = Promise.withResolvers<Tap>();
  const startsPrograms = options.servers.some(({ transport }) => transport === 'stdio');
  const browser = await launchBrowser({
    extension,
    headless: true,
    ...(startsPrograms && { profile: await temporaryProfile(lifetime) }),
    prepare: async (context) => tapping.resolve(await tapPanel(context, signal)),
  });
  lifetime.add(browser.close);
  const { maxIterations } = options;
  if (maxIterations !== undefined) await command(browser.options, 'saveSettings', { maxIterations });
  await addProvider(browser.options, provider);
  await setUpServers(browser.options, options, lifetime);
  const panel = await browser.openPanel();
  const printer = options.json ? jsonPrinter() : textPrinter();
  const tap = await tapping.promise;
  const chat: Chat = {
    panel,
    approve: options.approve,
    next: tap.next,
    copy: createChatCopy(),
    report: printer.event,
    fail,
  };
  const last = await askAll(chat, options, browser, printer);
  if (last.reason !== 'done') throw failureOfRun(last);
}

type Printer = {
  asked: (text: string) => void;
  event: Chat['report'];
  close: (stored: StoredConversation) => void;
};

function jsonPrinter(): Printer {
  return {
    asked: () => undefined,
    event: (conversationId, runId, line) => printLine({ conversationId, runId, ...line }),
    close: (stored) => printLine({ type: 'conversation', ...stored }),
  };
}

function printLine(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

function textPrinter(): Printer {
  const transcript = createTranscript((text) => process.stdout.write(text));
  return {
    asked: transcript.asked,
    event: (_, __, line) => transcript.event(line),
    close: () => undefined,
  };
}

/** One question after the other, whatever became of the one before. What is stored is printed in any case. */
async function askAll(
  chat: Chat,
  { ask: questions }: StartOptions,
  browser: ExtensionBrowser,
  printer: Printer,
) {
  let conversationId: string | undefined;
  let last: Asked | undefined;
  const following: Chat = {
    ...chat,
    report: (id, runId, line) => {
      conversationId = id;
      chat.report(id, runId, line);
    },
  };
  try {
    for (const text of questions) {
      if (last && last.reason !== 'done') sayFailure(failureOfRun(last));
      printer.asked(text);
      last = await ask(following, text);
    }
  } finally {
    if (conversationId !== undefined) printer.close(await readConversation(browser.options, conversationId));
  }
  if (!last) throw new Failure('There was nothing to ask.');
  return last;
}

function failureOfRun({ reason, error }: Asked): Failure {
  if (error) return failureOf(error);
  switch (reason) {
    case 'limit':
      return new Failure(
        'The run reached its limit of model requests.',
        'Allow more with --max-iterations N.',
      );
    case 'interrupted':
      return new Failure('The run was interrupted.', 'Ask again.');
    default:
      return new Failure(`The run ended as ${reason}.`);
  }
}
