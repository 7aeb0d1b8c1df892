/** A title until the model makes a better one: the first 40 characters of the first message, on one line. */
export function firstTitle(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39).trimEnd()}…` : line;
}
