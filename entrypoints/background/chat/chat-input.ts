import * as z from 'zod/mini';
import { presets } from '../../../lib/provider-presets.ts';
import {
  type ChatSettings,
  MODEL_APIS,
  type ModelApi,
  type PresetId,
  PRICE_LIMITS,
  REASONING_EFFORTS,
  TOKEN_LIMITS,
  type Traits,
} from '../../../lib/types/model.ts';
import type { ChatChange, ChatChoice } from '../../../lib/types/conversation.ts';
import { invalid } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';
import { units } from '../../../locales/units.ts';

const count = z.int().check(z.positive());
const tokens = z.int().check(z.minimum(TOKEN_LIMITS[0]), z.maximum(TOKEN_LIMITS[1]));
const money = z.number().check(z.minimum(PRICE_LIMITS[0]), z.maximum(PRICE_LIMITS[1]));
const flag = z.optional(z.boolean());
const size = z.optional(tokens);

const settingsShape = z.strictObject({
  system: z.optional(z.string()),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  maxTokens: z.optional(count),
  reasoningEffort: z.optional(z.literal(REASONING_EFFORTS)),
  memory: flag,
} satisfies Record<keyof ChatSettings, z.ZodMiniType>);

const traitsShape = z.strictObject({
  tools: flag,
  vision: flag,
  chat: flag,
  reasoning: flag,
  contextWindow: size,
  largestContext: size,
  maxOutput: size,
  price: z.optional(z.strictObject({ input: money, output: money, cached: z.optional(money) })),
} satisfies Record<keyof Traits, z.ZodMiniType>);

/** What offered names are made of (lib/mcp/names.ts). */
const offeredName = z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/));
const choiceShape = z.object({
  providerId: z.optional(z.nullable(count)),
  model: z.optional(z.nullable(z.string().check(z.regex(/\S/)))),
  tools: z.optional(z.record(offeredName, z.boolean())),
  project: z.optional(z.nullable(z.string())),
});
const changeShape = z.extend(choiceShape, {
  tools: z.optional(z.record(offeredName, z.nullable(z.boolean()))),
});

/** The name of the first part that does not fit, '' when it has none; undefined when all fit. */
function faultIn(shape: z.ZodMiniType, value: unknown): string | undefined {
  const [issue] = z.safeParse(shape, value).error?.issues ?? [];
  return issue && String(issue.path[0] ?? '');
}

/** What is wrong with a setting of a chat or a trait of a model, by its name. */
function wordsOf(field: string): string | undefined {
  const [least, most] = TOKEN_LIMITS;
  const efforts = units.commas(REASONING_EFFORTS);
  return new Map(Object.entries(t(($) => $.errors.input.traits, { efforts, least, most }))).get(field);
}

/** @throws AppError `invalid_input` unless these are settings of a chat */
export function requireSettings(value: unknown): asserts value is ChatSettings {
  const fault = faultIn(settingsShape, value);
  if (fault !== undefined) throw invalid({ message: wordsOf(fault) ?? t(($) => $.errors.input.settings) });
}

/** @throws AppError `invalid_input` unless each given part says which model is asked, how, and with what */
export function requireChoice(value: Partial<ChatChoice>): Partial<ChatChoice> {
  return requireParts(value, choiceShape) as Partial<ChatChoice>;
}

/** The same for a change, whose tools may also be inherited again. @throws AppError `invalid_input` */
export function requireChange(value: ChatChange): ChatChange {
  return requireParts(value, changeShape);
}

function requireParts(
  { providerId, model, settings, tools, project }: ChatChange,
  shape: z.ZodMiniType,
): ChatChange {
  if (settings !== undefined) requireSettings(settings);
  const fault = faultIn(shape, { providerId, model, tools, project });
  if (fault === 'tools') throw invalid(t(($) => $.errors.input.toolChoice));
  if (fault !== undefined) throw invalid(t(($) => $.errors.input.modelChoice));
  return {
    ...(providerId !== undefined && { providerId }),
    ...(model !== undefined && { model }),
    ...(settings !== undefined && { settings }),
    ...(tools !== undefined && { tools }),
    ...(project !== undefined && { project }),
  };
}

/** @throws AppError `invalid_input` unless these are traits of a model. @returns those that are given */
export function requireTraits(value: unknown): Traits {
  const fault = faultIn(traitsShape, value);
  if (fault !== undefined) throw invalid({ message: wordsOf(fault) ?? t(($) => $.errors.input.badTraits) });
  return Object.fromEntries(Object.entries(Object(value)).filter(([, part]) => part !== undefined));
}

/** @throws AppError `invalid_input` unless Portside knows it */
export function requirePreset(value: unknown): PresetId {
  const preset = presets.find(({ id }) => id === value);
  if (!preset) throw invalid(t(($) => $.errors.input.preset));
  return preset.id;
}

/** @throws AppError `invalid_input` unless it is one of the two */
export function requireApi(value: unknown): ModelApi {
  const api = MODEL_APIS.find((known) => known === value);
  if (!api) throw invalid(t(($) => $.errors.input.preset));
  return api;
}
