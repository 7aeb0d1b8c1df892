const known = new Map<string, string>();
let parser: DOMParser | undefined;

/** The text with its character references (`&amp;`, `&#8212;`) resolved. */
export const unescaped = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/g, meaning)
    : text;

/** By the browser's own table. What is asked of it has no room for a tag. */
function meaning(reference: string): string {
  parser ??= new DOMParser();
  const found =
    known.get(reference) ??
    parser.parseFromString(`<p>${reference}`, 'text/html').body.textContent ??
    reference;
  if (known.size < 2000) known.set(reference, found);
  return found;
}
