import type {
  ConfigQuestion,
  ConfiguredServer,
  ServerConfig,
} from '../../../lib/config-file/server-config.ts';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { addressWith, type Answers, needsAnswer, placeIn, withAnswers } from '../../../lib/types/answers.ts';
import { WHOLE_PATH } from '../../../lib/types/server.ts';
import { urlFault } from '../form/address-input.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The page as it is filled in. Names and ids come from the file, so they are no keys of objects. */
export type ImportDraft = {
  text: string;
  /** By server name: what the user chose. */
  ticks: ReadonlyMap<string, boolean>;
  /** By question id. */
  answers: ReadonlyMap<string, string>;
  connect: boolean;
};

export const emptyImport: ImportDraft = { text: '', ticks: new Map(), answers: new Map(), connect: true };

/** What can't be added never is; what is there already only if the user says so. */
export function isTicked({ input, usable, sameNameAs }: ConfiguredServer, { ticks }: ImportDraft): boolean {
  return usable && (ticks.get(input.name) ?? sameNameAs === undefined);
}

/** Those questions that the ticked servers need an answer to, with where each answer goes: a file may ask for one server and use it for another. */
export function questionsOf(
  config: ServerConfig,
  draft: ImportDraft,
): (ConfigQuestion & { places: string[] })[] {
  const asked = new Map<string, Set<string>>();
  const open = config.questions.filter((question) => !question.secret && answerTo(question, draft) !== '');
  const answers = Object.fromEntries(open.map((question) => [question.id, answerTo(question, draft)]));
  for (const { input } of config.servers.filter((server) => isTicked(server, draft))) {
    const url = 'url' in input ? URL.parse(fillPlaceholders(input.url, answers)) : null;
    const place = url?.host || reachedBy(input);
    const ask = (_all: string, id: string): string => (asked.set(id, new Set(asked.get(id)).add(place)), '');
    mapTexts(input, (text) => text.replace(VARIABLE, ask));
  }
  return config.questions.flatMap((question) => {
    const places = asked.get(question.id);
    return places ? [{ ...question, places: [...places] }] : [];
  });
}

/** The address of a server, or its command line. */
export const reachedBy = (input: ServerInput): string =>
  visible('url' in input ? input.url : [input.command, ...input.args].join(' '));

export const answerTo = ({ id, default: preset }: ConfigQuestion, { answers }: ImportDraft): string =>
  answers.get(id) ?? preset ?? '';

/** What to add, or what is wrong: by question id, and of the servers as they would be. */
export function checkImport(
  config: ServerConfig,
  draft: ImportDraft,
): { inputs: ServerInput[] } | { faults: ReadonlyMap<string, string>; wrongAddress?: string } {
  const questions = questionsOf(config, draft);
  const faults = new Map<string, string>();
  for (const question of questions) {
    const isOpen = answerTo(question, draft) === '' && question.default === undefined;
    if (isOpen)
      faults.set(
        question.id,
        t(($) => $.import.required),
      );
  }
  const answersTo = (asked: ConfigQuestion[]): Answers =>
    Object.fromEntries(asked.map((question) => [question.id, answerTo(question, draft)]));
  const values = answersTo(questions);
  const open = answersTo(questions.filter(({ secret }) => !secret));
  const ticked = config.servers.filter((server) => isTicked(server, draft)).map(({ input }) => input);
  for (const [id, words] of ticked.flatMap((input) => faultsIn(input, values, open))) {
    if (!faults.has(id)) faults.set(id, words);
  }
  const inputs = ticked.map((input) => answerInput(input, values, open));
  const wrong = inputs.find((input) => 'url' in input && !isAddress(input.url));
  if (faults.size > 0) return { faults };
  return wrong
    ? { faults, wrongAddress: t(($) => $.import.wrongAddress, { name: visible(wrong.name) }) }
    : { inputs };
}

/** As the worker takes it: without a user name or a password too. */
function isAddress(url: string): boolean {
  if (urlFault(url, '') !== undefined) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/**
 * The input with the values in it. Its address, its client's id or its arguments get those that are `open`, and go on
 * referring to the others.
 */
function answerInput(input: ServerInput, values: Answers, open: Answers): ServerInput {
  const isRemote = 'url' in input;
  const client = isRemote ? withAnswers(input.oauthClient?.id ?? '', open) : '';
  const texts = isRemote
    ? [addressWith(fillPlaceholders(input.url, values), open)]
    : input.args.map((arg) => withAnswers(arg, open));
  // By those of its environment the worker knows what of that is not to be shown.
  const referring = isRemote ? [...texts, client] : [...texts, ...Object.values(input.env ?? {})];
  const kept = Object.entries(values).filter(
    ([id]) => !Object.hasOwn(open, id) && referring.some((text) => needsAnswer(text, id)),
  );
  const answers = kept.length > 0 && { answers: Object.fromEntries(kept) };
  const texted = mapTexts(withoutEmpty(input, values), (text) => withAnswers(text, values)) as ServerInput;
  const filled = { ...texted, name: input.name }; // models and exports are told it
  if (!('url' in filled)) return { ...filled, args: texts, ...answers };
  const { oauthClient } = filled;
  return {
    ...filled,
    url: texts.join(''),
    ...(oauthClient && { oauthClient: { ...oauthClient, id: client } }),
    ...answers,
  };
}

/** A header or a variable that is nothing but an answer, and that was left empty, is not set. */
function withoutEmpty(input: ServerInput, values: Answers): ServerInput {
  const set = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).filter(([, text]) => withAnswers(text, values) !== '' || !text.startsWith('${')),
    );
  if ('url' in input) return input.headers ? { ...input, headers: set(input.headers) } : input;
  return input.env ? { ...input, env: set(input.env) } : input;
}

/** What says where it is refers to nothing: the browser is asked for it, and the user sees it. */
function fillPlaceholders(url: string, values: Answers): string {
  const place = placeIn(url);
  return withAnswers(place, values) + url.slice(place.length);
}

type Fault = [id: string, why: string];

/**
 * The questions whose answers make what the worker would refuse, with all that is imported, each with why, which tells
 * those that are `open`.
 */
function faultsIn(input: ServerInput, values: Answers, open: Answers): Fault[] {
  const name = visible(input.name);
  const faultsOf = (text: string, isFine: (filled: string) => boolean, why: string): Fault[] => {
    if (isFine(withAnswers(text, values))) return [];
    const ids = [...text.matchAll(VARIABLE)].map(([, id = '']) => id);
    return ids.filter((id) => Object.hasOwn(values, id)).map((id): Fault => [id, why]);
  };
  if ('url' in input) {
    const headers = Object.entries(input.headers ?? {}).flatMap(([header, text]) =>
      faultsOf(
        text,
        isSendable,
        t(($) => $.import.badHeader, { header: visible(header), name }),
      ),
    );
    return [
      ...headers,
      ...faultsOf(
        input.oauthClient?.id ?? '',
        isGiven,
        t(($) => $.import.wrongClient, { name }),
      ),
    ];
  }
  const { command, cwd = '' } = input;
  const folder = visible(withAnswers(cwd, open));
  return [
    ...faultsOf(
      command,
      isGiven,
      t(($) => $.import.wrongCommand, { name }),
    ),
    ...faultsOf(
      cwd,
      (path) => path === '' || WHOLE_PATH.test(path),
      t(($) => $.import.wrongFolder, { folder, name }),
    ),
  ];
}

const isGiven = (text: string): boolean => text.trim() !== '';

/** As `Headers` takes values. */
function isSendable(value: string): boolean {
  try {
    return new Headers([['x', value]]).has('x');
  } catch {
    return false; // that the browser refuses it is the answer
  }
}

const VARIABLE = /\$\{([^{}]*)\}/g;

/** The value with every text in it changed, whatever it is nested in; the keys stay. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each: unknown) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change)]));
}
