import type {
  Availability,
  LanguageModelApi,
  LanguageModelSession,
  Prompt,
  PromptPart,
} from '../../lib/language-model.ts';

/** What a prompt is answered with: text, in these pieces, calls, an error in their midst, or a wait that only an abort ends. */
export type Piece = string | PromptPart[] | Error | 'forever';

export type Prompted = { initial: Prompt[]; last: Prompt[]; constraint: object | undefined };

/** A browser's model that says what a test scripted, a list of pieces for each prompt; a word is a token. */
export function createLanguageModel(
  script: Piece[][] = [],
  {
    availability = 'available' as Availability,
    window = 9216,
    createFails = undefined as Error | undefined,
  } = {},
) {
  const prompted: Prompted[] = [];
  const expected: string[][] = [];
  let open = 0;
  let aborted = 0;

  const count = (prompts: Prompt[]): number =>
    prompts.reduce(
      (sum, { content }) => sum + (typeof content === 'string' ? content.split(/\s+/) : content).length,
      0,
    );

  function newSession(initial: Prompt[]): LanguageModelSession {
    let used = count(initial);
    open += 1;
    return {
      get contextUsage() {
        return used;
      },
      contextWindow: window,
      measureContextUsage: async (last) => count(last),
      async *promptStreaming(last, { signal, responseConstraint }) {
        prompted.push({ initial, last, constraint: responseConstraint });
        used += count(last);
        for (const piece of script.shift() ?? []) {
          if (piece instanceof Error) throw piece;
          if (piece === 'forever') {
            await new Promise((_, reject) => {
              const abort = () => {
                aborted += 1;
                reject(signal.reason as Error);
              };
              if (signal.aborted) abort();
              else signal.addEventListener('abort', abort);
            });
          }
          used += 1;
          yield piece;
        }
      },
      destroy: () => void (open -= 1),
    };
  }

  const api: LanguageModelApi = {
    async availability({ expectedOutputs }) {
      expected.push(expectedOutputs.flatMap((each) => ('languages' in each ? each.languages : [])));
      return availability;
    },
    async create({ initialPrompts = [] }) {
      if (createFails) throw createFails;
      if (count(initialPrompts) > window) throw quotaExceeded(window);
      return newSession(initialPrompts);
    },
  };
  return { api, prompted, expected, open: () => open, aborted: () => aborted };
}

export const quotaExceeded = (quota: number): Error =>
  Object.assign(new DOMException('The input is too large.', 'QuotaExceededError'), { quota });
