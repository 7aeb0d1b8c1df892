import { t } from '../../../locales/texts/panel.ts';
import { isRecord } from '../../json.ts';

/** Why `text` cannot be a call's arguments, in a sentence; null when it is a JSON object. */
export function jsonFault(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}');
    return isRecord(value) ? null : t(($) => $.approval.notObject);
  } catch (error) {
    return t(($) => $.approval.notJson, { cause: error instanceof Error ? error.message : String(error) });
  }
}
