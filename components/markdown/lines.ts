/** The shape of one line of markdown. Each test gives the same answer for a line and for its beginning, once `decided`. */

export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);

/** Columns of white space before the text; a tab ends at the next multiple of four. */
export function indentOf(line: string): number {
  let column = 0;
  for (const each of line) {
    if (each === ' ') column += 1;
    else if (each === '\t') column += 4 - (column % 4);
    else break;
  }
  return column;
}

/** The line without its first `columns` columns of white space. */
export function outdent(line: string, columns: number): string {
  let column = 0;
  let at = 0;
  while (column < columns && (line[at] === ' ' || line[at] === '\t')) {
    column += line[at] === '\t' ? 4 - (column % 4) : 1;
    at += 1;
  }
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(at);
}

export type Fence = { mark: string; indent: number; language: string };

export function fenceOf(line: string): Fence | null {
  const found = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line);
  if (!found) return null;
  const [, indent = '', mark = '', info = ''] = found;
  return { mark, indent: indent.length, language: /^\s*\{?\.?([^\s{}]*)/.exec(info)?.[1] ?? '' };
}

export const closesFence = (line: string, mark: string): boolean => {
  const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return closing !== undefined && closing[0] === mark[0] && closing.length >= mark.length;
};

export type Bullet = {
  /** Items of one list have the same: the bullet, or what stands behind the number. */
  kind: string;
  /** Of a numbered item. */
  start?: number;
  /** Columns that the item's further lines are indented by. */
  width: number;
  content: string;
};

export function bulletOf(line: string): Bullet | null {
  if (isRule(line)) return null;
  const found = /^( {0,3})(?:([*+-])|(\d{1,9})([.)]))(?:([ \t]+)(.*)|$)/.exec(line);
  if (!found) return null;
  const [, indent = '', mark, number = '', end = '', gap = '', content = ''] = found;
  const head = indent.length + (mark ? 1 : number.length + 1);
  const space = indentOf(gap);
  // More than that is code inside the item.
  const used = content === '' || space > 4 ? 1 : space;
  return {
    kind: mark ?? end,
    ...(mark === undefined && { start: Number(number) }),
    width: head + used,
    content: content === '' ? '' : outdent(gap, used) + content,
  };
}

export const isQuote = (line: string): boolean => /^ {0,3}>/.test(line);
export const withoutQuote = (line: string): string => line.replace(/^ {0,3}> ?/, '');
export const isRule = (line: string): boolean => /^ {0,3}([-_*])[ \t]*(?:\1[ \t]*){2,}$/.test(line);
export const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line);
export const isUnderline = (line: string): boolean => /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
export const opensMath = (line: string): boolean => /^ {0,3}(?:\$\$|\\\[)/.test(line);
export const footnoteOf = (line: string): RegExpExecArray | null =>
  /^ {0,3}\[\^([^\]\s]{1,80})\]:[ \t]*(.*)$/.exec(line);

/** Whether the line ends a paragraph that stands above it. */
export function interrupts(line: string): boolean {
  if (isQuote(line) || isHeading(line) || isRule(line) || fenceOf(line) || opensMath(line)) return true;
  if (footnoteOf(line)) return true;
  const bullet = bulletOf(line);
  return bullet !== null && bullet.content !== '' && (bullet.start ?? 1) === 1;
}

/** Cells of a row as GFM counts them. */
export const columnsOf = (row: string): number =>
  row
    .trim()
    .replace(/\\\|/g, '')
    .replace(/^\||\|$/g, '')
    .split('|').length;

/** Whether `line` makes the row above it the head of a table. */
export const isTable = (head: string, line: string): boolean =>
  /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/.test(line) &&
  line.includes('|') &&
  head.includes('|') &&
  columnsOf(head) === columnsOf(line);

const container = String.raw`^(?:[ \t]|>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\]\s]+\]:)*`;
const undecided = [
  String.raw`\d{0,9}[.)]?$`,
  String.raw`[-*_=+| \t:]*$`,
  String.raw`#{1,6}[ \t]*$`,
  String.raw`(?:\x60{1,2}|~{1,2})$`,
  String.raw`(?:\x60{3}|~{3})`,
  String.raw`\$$|\$\$|\\$|\\\[`,
  String.raw`\[$|\[[ xX^]$|\[[ xX]\][ \t]*$|\[\^[^\]\s]*\]?$`,
].join('|');
const open = new RegExp(`${container}(?:${undecided})`);

/** Whether what the line is cannot change any more by what is still to come of it. */
export const decided = (line: string): boolean => !open.test(line);
