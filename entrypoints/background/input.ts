import { AppError } from '../../lib/errors.ts';

/** @throws AppError `invalid_input` when the text is empty. @returns it trimmed */
export function requireText(value: unknown, field: string): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') throw new AppError({ code: 'invalid_input', message: `${field} is required.` });
  return text;
}

/** @throws AppError `invalid_input` when it is no http or https address. @returns it trimmed */
export function requireHttpUrl(value: unknown, field: string): string {
  const text = requireText(value, field);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new AppError({
    code: 'invalid_input',
    message: `${field} is not a web address.`,
    fix: 'Start the address with https:// or http://.',
  });
}
