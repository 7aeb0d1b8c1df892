/** A part of a text under a heading, and where it begins, in characters. */
type Section = { heading: string; at: number };

/** Headings that are named of what was cut. */
const MOST_NAMED = 40;

/**
 * The beginning of a long text in Markdown, cut before a heading where one is near, else before a paragraph or a line;
 * what comes then is named, with where it begins. A short one as it is.
 * @param most characters
 * @param readId what `read_more` knows the text by
 */
export function cutBySections(text: string, most: number, readId: string): { text: string; isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  const sections = sectionsOf(text);
  const at = cutAt(text, most, sections);
  const rest = sections.filter((section) => section.at >= at);
  const named = rest.slice(0, MOST_NAMED).map(({ heading, at: from }) => `${heading} (offset ${from})`);
  const more = rest.length > MOST_NAMED ? [`and ${rest.length - MOST_NAMED} more sections`] : [];
  const note =
    `[Cut: these are the first ${at} of ${text.length} characters. Read on with the tool read_more: ` +
    `${JSON.stringify({ result: readId, offset: at })}.` +
    `${named.length > 0 ? `\nWhat follows:\n${[...named, ...more].join('\n')}` : ''}]`;
  return { text: `${text.slice(0, at).trimEnd()}\n\n${note}`, isCut: true };
}

/** Headings outside of code. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let isCode = false;
  let at = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) sections.push({ heading: line.slice(0, 120), at });
    at += line.length + 1;
  }
  return sections;
}

function cutAt(text: string, most: number, sections: Section[]): number {
  const least = most * 0.6;
  const heading = sections.findLast(({ at }) => at <= most)?.at ?? 0;
  if (heading >= least) return heading;
  for (const end of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(end, most);
    if (at >= least) return at + end.length;
  }
  return /[\uDC00-\uDFFF]/.test(text.charAt(most)) ? most - 1 : most;
}
