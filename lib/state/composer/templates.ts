import { expandTemplate, templateVariables } from '../../uri-template.ts';
import type { PromptArgument } from '../../types/offer.ts';

/** What a resource template wants filled in. What stands behind an operator (query, path, fragment) may be left out (RFC 6570, 3.2). */
export function templateArguments(uriTemplate: string): PromptArgument[] {
  const needed = templateVariables(uriTemplate.replace(/\{[?&/;.#][^{}]*\}/g, ''));
  return templateVariables(uriTemplate).map((name) => ({
    name,
    description: '',
    required: needed.includes(name),
  }));
}

export const filledTemplate = (uriTemplate: string, values: Record<string, string>): string =>
  expandTemplate(uriTemplate, values);
