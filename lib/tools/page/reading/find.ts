/** Matches that are listed, and characters around each. */
const MOST = 20;
const AROUND = 150;

/** Where words stand in a page's text, whatever their case and the white space between them. */
export function findIn(text: string, query: string): string {
  if (query.trim() === '') return 'There is nothing to look for.';
  const words = query
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const matches = [...text.matchAll(new RegExp(words.join('\\s+'), 'giu'))];
  const headings = [...text.matchAll(/^#{1,6} .{1,120}/gm)];
  const shown = matches.slice(0, MOST).map(({ index, 0: match }, at) => {
    const under = headings.findLast((heading) => heading.index <= index)?.[0];
    const part = text.slice(Math.max(0, index - AROUND), index + match.length + AROUND);
    return `${at + 1}.${under ? ` (under ${under})` : ''} …${part.replaceAll(/\s+/g, ' ').trim()}…`;
  });
  const count = `${matches.length} ${matches.length === 1 ? 'match' : 'matches'} for ${JSON.stringify(query)} in ${text.length} characters of text`;
  return [`${count}${matches.length > MOST ? `; the first ${MOST}` : ''}.`, ...shown].join('\n');
}
