/** How far the model is there: `downloadable` and `downloading` need a click in a page (`prepareModel`). */
export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export type Prompt = { role: 'system' | 'user' | 'assistant'; content: string | PromptPart[] };

/** A `tool-call` has a `LanguageModelToolCall`, a `tool-response` a `LanguageModelToolSuccess`. */
export type PromptPart = { type: 'text' | 'tool-call' | 'tool-response'; value: unknown };

type Expected = { type: 'text'; languages: string[] } | { type: 'tool-call' | 'tool-response' };
export type Expectations = {
  expectedInputs: Expected[];
  expectedOutputs: Expected[];
  tools?: { name: string; description: string; inputSchema: object }[];
};

/** What Portside uses of the Prompt API (https://webmachinelearning.github.io/prompt-api/). */
export type LanguageModelApi = {
  availability(options: Expectations): Promise<Availability>;
  /** Rejects with `NotAllowedError` where it would have to download and no click asked for that. */
  create(
    options: Expectations & {
      initialPrompts?: Prompt[];
      monitor?: (of: EventTarget) => void;
      signal?: AbortSignal;
    },
  ): Promise<LanguageModelSession>;
};

export type LanguageModelSession = {
  /** In pieces, each of them new text; or parts, where the model calls tools by the browser's own means. */
  promptStreaming(
    input: Prompt[],
    options: { signal: AbortSignal; responseConstraint?: object; omitResponseConstraintInput?: boolean },
  ): AsyncIterable<string | PromptPart | PromptPart[]>;
  measureContextUsage?(input: Prompt[]): Promise<number>;
  /** Tokens. Before Chromium 148 these two were called as below. */
  contextUsage?: number;
  contextWindow?: number;
  inputUsage?: number;
  inputQuota?: number;
  destroy(): void;
};

/** The only model that a browser has of its own, as its provider lists it. */
export const BROWSER_MODEL = 'built-in';

/** The browser's model; undefined where there is none. The standard has it in windows alone; Chromium 156 also in workers. */
export const languageModel = (): LanguageModelApi | undefined =>
  (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel;

/**
 * How far the model is there for the languages that are wanted of it, with the options to create it by: English, since
 * Portside's own words to it are, and the browser's language if the model knows it. An answer in another one may be withheld.
 */
export async function lookUpModel(
  api = languageModel(),
): Promise<{ availability: Availability; expected: Expectations }> {
  const own = navigator.language.split('-')[0] ?? 'en';
  const wide = expecting([...new Set(['en', own])]);
  const narrow = expecting(['en']);
  if (!api) return { availability: 'unavailable', expected: narrow };
  const availability = await api.availability(wide);
  if (availability !== 'unavailable') return { availability, expected: wide };
  return { availability: await api.availability(narrow), expected: narrow };
}

const expecting = (languages: string[]): Expectations => ({
  expectedInputs: [{ type: 'text', languages }],
  expectedOutputs: [{ type: 'text', languages }],
});

/**
 * Makes the model ready to answer, which downloads what is missing of it: call it in a click.
 * @param progress told the share that is there, 0 to 1
 * @throws DOMException `NetworkError`, `NotAllowedError`, ..., or the reason of `signal`
 */
export async function prepareModel(
  progress: (share: number) => void = () => {},
  signal = new AbortController().signal,
): Promise<void> {
  const api = languageModel();
  const { expected } = await lookUpModel(api);
  const session = await api?.create({
    ...expected,
    signal,
    monitor: (of) =>
      of.addEventListener('downloadprogress', (event) => progress((event as ProgressEvent).loaded)),
  });
  session?.destroy();
}
