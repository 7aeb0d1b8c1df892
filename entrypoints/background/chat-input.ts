import { presets } from '../../lib/presets.ts';
import {
  type ChatSettings,
  type PresetId,
  type Price,
  PRICE_LIMITS,
  REASONING_EFFORTS,
  TOKEN_LIMITS,
  type Traits,
} from '../../lib/types/model.ts';
import type { ChatChange, ChatChoice } from '../../lib/types/setup.ts';
import { invalid } from './input.ts';
import { t } from '../../locales/texts/errors.ts';
import { units } from '../../locales/units.ts';

type Fields<T> = Record<keyof T, (value: unknown) => boolean>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isSwitch = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const isWithin = (lowest: number, highest: number) => (value: unknown) =>
  typeof value === 'number' && value >= lowest && value <= highest;
const isMoney = isWithin(...PRICE_LIMITS);
const isTokens = (value: unknown): boolean => isCount(value) && isWithin(...TOKEN_LIMITS)(value);

const settingsFields: Fields<ChatSettings> = {
  system: isText,
  temperature: isWithin(0, 2),
  maxTokens: isCount,
  reasoningEffort: (value) => REASONING_EFFORTS.some((effort) => effort === value),
};
const priceFields: Fields<Price> = { input: isMoney, output: isMoney, cached: isMoney };
const traitFields: Fields<Traits> = {
  tools: isSwitch,
  vision: isSwitch,
  chat: isSwitch,
  reasoning: isSwitch,
  contextWindow: isTokens,
  largestContext: isTokens,
  maxOutput: isTokens,
  price: (value) =>
    hasFields(value, priceFields) && ['input', 'output'].every((name) => Object.hasOwn(Object(value), name)),
};
const choiceFields: Fields<ChatChoice> = {
  providerId: (value) => value === null || isCount(value),
  model: (value) => value === null || (typeof value === 'string' && value.trim() !== ''),
  settings: (value) => hasFields(value, settingsFields),
  tools: (value) => isOverrides(value, isSwitch),
};

const changeFields: Fields<ChatChange> = {
  ...choiceFields,
  tools: (value) => isOverrides(value, (on) => on === null || isSwitch(on)),
};

/** What offered names are made of (lib/mcp/names.ts). */
const OFFERED_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function isOverrides(value: unknown, isFine: (on: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, on]) => OFFERED_NAME.test(name) && isFine(on));
}

/** The name of the first part that does not fit, '' when the value has no parts; undefined when all fit. */
function faultIn<T>(value: unknown, fields: Fields<T>): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
  const bad = Object.entries(value).find(
    ([name, part]) => part !== undefined && !(Object.hasOwn(fields, name) && fields[name as keyof T](part)),
  );
  return bad?.[0];
}

function hasFields<T>(value: unknown, fields: Fields<T>): boolean {
  return faultIn(value, fields) === undefined;
}

/** What is wrong with a setting of a chat or a trait of a model, by its name. */
function wordsOf(field: string): string | undefined {
  const [least, most] = TOKEN_LIMITS;
  const efforts = units.commas(REASONING_EFFORTS);
  return new Map(Object.entries(t(($) => $.errors.input.traits, { efforts, least, most }))).get(field);
}

/** @throws AppError `invalid_input` unless these are settings of a chat */
export function requireSettings(value: unknown): asserts value is ChatSettings {
  const fault = faultIn(value, settingsFields);
  if (fault !== undefined) throw invalid({ message: wordsOf(fault) ?? t(($) => $.errors.input.settings) });
}

/** @throws AppError `invalid_input` unless each given part says which model is asked, how, and with what */
export function requireChoice(value: Partial<ChatChoice>): Partial<ChatChoice> {
  return given(value, choiceFields) as Partial<ChatChoice>;
}

/** The same for a change, whose tools may also be inherited again. @throws AppError `invalid_input` */
export function requireChange(value: ChatChange): ChatChange {
  return given(value, changeFields);
}

function given({ providerId, model, settings, tools }: ChatChange, fields: Fields<ChatChange>): ChatChange {
  if (settings !== undefined) requireSettings(settings);
  const choice = {
    ...(providerId !== undefined && { providerId }),
    ...(model !== undefined && { model }),
    ...(settings !== undefined && { settings }),
    ...(tools !== undefined && { tools }),
  };
  const fault = faultIn(choice, fields);
  if (fault === 'tools') throw invalid(t(($) => $.errors.input.toolChoice));
  if (fault !== undefined) throw invalid(t(($) => $.errors.input.modelChoice));
  return choice;
}

/** @throws AppError `invalid_input` unless these are traits of a model. @returns those that are given */
export function requireTraits(value: unknown): Traits {
  const fault = faultIn(value, traitFields);
  if (fault !== undefined) throw invalid({ message: wordsOf(fault) ?? t(($) => $.errors.input.badTraits) });
  return Object.fromEntries(Object.entries(Object(value)).filter(([, part]) => part !== undefined));
}

/** @throws AppError `invalid_input` unless Portside knows it */
export function requirePreset(value: unknown): PresetId {
  const preset = presets.find(({ id }) => id === value);
  if (!preset) throw invalid(t(($) => $.errors.input.preset));
  return preset.id;
}
