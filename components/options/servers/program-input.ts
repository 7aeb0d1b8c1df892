import { t } from '../../../locales/texts/settings.ts';

/** The environment as it is typed. Saved values are not shown; empty text keeps them. */
export type EnvDraft = { env: string; forgetEnv: boolean };

/** One argument a line. Spaces belong to an argument; lines with nothing else are left out. */
export function parseArgs(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** `KEY=value` lines as a map, or the number (from 1) of the first line that is none. Empty lines are skipped. */
export function parseEnv(text: string): { env: Record<string, string> } | { badLine: number } {
  const entries: [string, string][] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { badLine: index + 1 };
    entries.push([name, value]);
  }
  return { env: Object.fromEntries(entries) };
}

/** The environment to send: absent keeps the stored one; or what is wrong with it. */
export function checkEnv(draft: EnvDraft): { sent: { env?: Record<string, string> } } | { fault: string } {
  const parsed = parseEnv(draft.env);
  if ('badLine' in parsed) return { fault: t(($) => $.servers.invalid.badEnv, { line: parsed.badLine }) };
  const typed = Object.keys(parsed.env).length > 0;
  return { sent: typed || draft.forgetEnv ? { env: parsed.env } : {} };
}
