import { argumentValues } from './completion.ts';
import type { PromptArgument } from '../../types/offer.ts';

/** `{{name}}`: what a saved prompt asks for when it is used. */
const VARIABLE = /\{\{\s*(?=\S)([^{}\n]{0,99}[^{}\s])\s*\}\}/g;
/** `{{{name}}}`, the same to those who know it from templates that escape. */
const TRIPLE = /\{(\{\{[^{}\n]+\}\})\}/g;

/** What a saved prompt asks for, each once, in the order of its text. */
export function promptVariables(text: string): PromptArgument[] {
  const names = new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name));
  return [...names].map((name) => ({ name, description: '', required: true }));
}

export function filledPrompt(text: string, given: Record<string, string>): string {
  const values = argumentValues(given);
  return text.replaceAll(TRIPLE, '$1').replaceAll(VARIABLE, (whole, name: string) => values[name] ?? whole);
}
