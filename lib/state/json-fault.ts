import { en } from '../../locales/en.ts';

/** Why `text` cannot be a call's arguments, in a sentence; null when it is a JSON object. */
export function jsonFault(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}');
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? null : en.approval.notObject;
  } catch (error) {
    return en.approval.notJson(error instanceof Error ? error.message : String(error));
  }
}
