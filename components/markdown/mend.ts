/** A formula this long without its end is none. */
const LONGEST_FORMULA = 300;

/** A link or picture that began further back is none any more. */
const LONGEST_LINK = 2000;

/** More than that open at once is no formatting. */
const MOST_OPEN = 6;

/**
 * The text of an open paragraph, with what is only half there closed or left out, so that no mark shows up that is gone
 * with the next word: `**bo` reads `**bo**`, `[text](htt` reads `text`.
 */
export function mend(text: string): string {
  return closeMarks(holdMath(holdLink(text)));
}

function holdLink(text: string): string {
  const from = Math.max(0, text.length - LONGEST_LINK);
  return (
    text.slice(0, from) +
    text
      .slice(from)
      // A half image is not there yet; of a half link its text is, without the brackets.
      .replace(/!\[[^\]\n]*(?:\](?:\([^)\s]*(?:[ \t]+"[^"\n]*)?|\[[^\]\n]*)?)?$/, '')
      .replace(/\[\^[^\]\s]*$/, '')
      .replace(/\[([^[\]\n]*)\](?:\([^)\s]*(?:[ \t]+"[^"\n]*)?|\[[^\]\n]*)$/, '$1')
      .replace(/\[([^[\]\n]{0,200})$/, '$1')
      .replace(/(?:<[a-zA-Z/!][^<>\n]{0,200}|<|&#?\w{0,10}|!|\\)$/, '')
  );
}

function holdMath(text: string): string {
  if (/^ {0,3}(?:\$\$|\\\[)(?!.*(?:\$\$|\\\]))/s.test(text)) return '';
  const from = Math.max(text.lastIndexOf('\\('), text.lastIndexOf('\\['));
  const until = Math.max(text.lastIndexOf('\\)'), text.lastIndexOf('\\]'));
  if (from > until && text.length - from < LONGEST_FORMULA) return text.slice(0, from);
  const dollar = /(?:^|[^\\$\w])(\$\$?(?![\s\d$])[^$\n]*)$/.exec(text)?.[1];
  if (dollar === undefined || dollar.length > LONGEST_FORMULA) return text;
  // A name such as $HOME is shown after its first letters.
  return dollar.length < 12 || /[\\^_{}]/.test(dollar) ? text.slice(0, text.length - dollar.length) : text;
}

/** Closes the marks that are open at the end, innermost first. */
function closeMarks(text: string): string {
  const bare = text.replace(/(?:\*{1,3}|_{1,3}|~{1,2}|(?<!`)`+)$/, '');
  const open: string[] = [];
  let code = '';
  for (const { 0: mark, index } of bare.matchAll(/\\.|`+|\*{1,3}|_{1,3}|~~/g)) {
    if (mark.startsWith('\\')) continue;
    if (mark.startsWith('`')) {
      if (code === '') code = mark;
      else if (code === mark) code = '';
      continue;
    }
    if (code !== '') continue;
    const before = bare[index - 1] ?? ' ';
    const after = bare[index + mark.length] ?? ' ';
    if (mark.startsWith('_') && /\w/.test(before) && /\w/.test(after)) continue;
    if (open.at(-1) === mark && !/\s/.test(before)) open.pop();
    else if (!/\s/.test(after)) open.push(mark);
  }
  if (open.length > MOST_OPEN) return text;
  // What was trimmed off the end closes what is open, or opens what has no text yet.
  const marks = open.toReversed().join('');
  const end = bare.trimEnd();
  if (code !== '') return `${bare}${code}`;
  return marks === '' ? end : `${end}${marks}`;
}
