/**
 * Untrusted text, so marked that nothing in them ends the mark: `<tag name="value">…</tag>`.
 * @param tag letters and `_`
 */
export function block(tag: string, attributes: Record<string, string>, content: string): string {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}=${quoted(value)}`);
  const inside = content.replaceAll(new RegExp(`<(?=/?\\s*${tag}\\b)`, 'gi'), '&lt;');
  return `<${tag}${named.join('')}>\n${inside}\n</${tag}>`;
}

/** In characters. */
const LONGEST_NAME = 500;

/** On one line, without what could end the attribute or the tag. */
function quoted(value: string): string {
  const line = value
    .slice(0, LONGEST_NAME)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return `"${line.replaceAll('"', '’').replaceAll('<', '‹').replaceAll('>', '›')}"`;
}
