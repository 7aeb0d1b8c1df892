import type { ModelSummary } from '../../../lib/protocol/setup.ts';
import { PRICE_LIMITS, TOKEN_LIMITS, type Traits } from '../../../lib/types/model.ts';
import { t } from '../../../locales/texts/settings.ts';

export const flags = ['tools', 'vision', 'reasoning'] as const;
export const sizes = ['contextWindow', 'maxOutput'] as const;
export const prices = ['input', 'output', 'cached'] as const;

/** What the user says of an ability: nothing (empty), or that it is otherwise. */
export type Said = '' | 'yes' | 'no';

/** The form as it is typed; what is empty stays as found. */
export type TraitsDraft = Record<(typeof flags)[number], Said> &
  Record<(typeof sizes)[number] | (typeof prices)[number], string>;

export type TraitsFaults = Partial<Record<keyof TraitsDraft, string>>;

const said = (flag: boolean | undefined): Said => (flag === undefined ? '' : flag ? 'yes' : 'no');
const typed = (value: number | undefined): string => (value === undefined ? '' : String(value));

export function draftOf({ tools, vision, reasoning, contextWindow, maxOutput, price }: Traits): TraitsDraft {
  return {
    tools: said(tools),
    vision: said(vision),
    reasoning: said(reasoning),
    contextWindow: typed(contextWindow),
    maxOutput: typed(maxOutput),
    input: typed(price?.input),
    output: typed(price?.output),
    cached: typed(price?.cached),
  };
}

/** What holds where the user says nothing. */
export function foundOf({ found, chosen, traits }: ModelSummary): Traits {
  const holding = Object.entries(traits).filter(([trait]) => !(trait in chosen));
  return { ...found, ...(Object.fromEntries(holding) as Traits) };
}

/** The draft as the user's traits, or what is wrong with it, by field. */
export function checkTraits(draft: TraitsDraft): { chosen: Traits } | { faults: TraitsFaults } {
  const faults: TraitsFaults = {};
  const chosen: Traits = {};
  for (const flag of flags) if (draft[flag] !== '') chosen[flag] = draft[flag] === 'yes';
  for (const size of sizes) {
    const value = numberOf(draft[size]);
    if (value === undefined) continue;
    if (Number.isInteger(value) && isWithin(TOKEN_LIMITS, value)) chosen[size] = value;
    else faults[size] = t(($) => $.traits.invalid.tokens, { most: TOKEN_LIMITS[1] });
  }
  const [input, output, cached] = prices.map((price) => numberOf(draft[price]));
  for (const price of prices) {
    const value = numberOf(draft[price]);
    if (value !== undefined && !isWithin(PRICE_LIMITS, value))
      faults[price] = t(($) => $.traits.invalid.price, { most: PRICE_LIMITS[1] });
  }
  if (input !== undefined && output !== undefined) {
    chosen.price = { input, output, ...(cached !== undefined && { cached }) };
  } else if (input !== undefined || output !== undefined || cached !== undefined) {
    faults[input === undefined ? 'input' : 'output'] ??= t(($) => $.traits.invalid.pair);
  }
  return Object.keys(faults).length > 0 ? { faults } : { chosen };
}

const isWithin = ([lowest, highest]: readonly [number, number], value: number): boolean =>
  value >= lowest && value <= highest;

/** What was typed as a number, NaN when it is none; undefined when nothing was. */
const numberOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));
