import { isRecord, listOf, parseJson } from '../../json.ts';
import { isText } from '../content/raw.ts';
import { t } from '../../../locales/texts/errors.ts';

/** More of them say nothing new. */
const MOST_ISSUES = 3;
/** Nothing that is worth reading begins later. */
const MOST_READ = 20_000;

/**
 * An error's words as one line that can be read: of a page of HTML its title, or else its text; of a schema library's
 * list of issues where each is and what it says; without controls, and what turns the direction of the rest.
 */
export function oneLine(words: string): string {
  const start = words.slice(0, MOST_READ);
  return withoutMarkup(withoutIssues(start))
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
}

/** Zod's errors have their issues as JSON for a message (https://zod.dev/error-formatting). */
function withoutIssues(words: string): string {
  const start = words.search(/\[\s*\{/);
  const last = [...words.matchAll(/\}\s*\]/g)].at(-1);
  if (start === -1 || last === undefined) return words;
  const end = last.index + last[0].length;
  const found = issuesIn(words.slice(start, end));
  if (found.length === 0) return words;
  const told = t(($) => $.errors.mcp.amongOthers, {
    told: found.slice(0, MOST_ISSUES).join('; '),
    others: found.length - MOST_ISSUES,
  });
  return words.slice(0, start) + told + words.slice(end);
}

function issuesIn(list: string): string[] {
  const issues = parseJson(list);
  return Array.isArray(issues) ? issues.flatMap((issue) => deepest(issue)?.words ?? []) : [];
}

/** Of a union the branch that fits the furthest says most. */
function deepest(issue: unknown, above: unknown[] = []): { depth: number; words: string } | undefined {
  if (!isRecord(issue) || !isText(issue['message'])) return undefined;
  const path = [...above, ...listOf(issue['path'])];
  const branches = Array.isArray(issue['errors']) ? issue['errors'].flat() : [];
  const own = { depth: path.length, words: [path.join('.'), issue['message']].filter(Boolean).join(': ') };
  return branches
    .flatMap((branch) => deepest(branch, path) ?? [])
    .reduce((best, each) => (each.depth > best.depth ? each : best), own);
}

function withoutMarkup(words: string): string {
  const start = words.search(/<(?:!doctype html|html|head|body)\b/i);
  if (start === -1) return words;
  const page = words.slice(start);
  const title = /<title[^<>]*>([^<]*)/i.exec(page)?.[1]?.trim();
  const text = page.replaceAll(/<(style|script)\b[^]*?(?:<\/\1>|$)/gi, ' ').replaceAll(/<[^>]*>?/g, ' ');
  return `${words.slice(0, start)} ${title || text}`;
}
