/** Long enough for any browser to have begun. */
const KEPT_MS = 60_000;

/** Hands a text, or the parts of one, to the browser's downloads. */
export function download(name: string, text: string | string[], type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text].flat(), { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** A title as a file name that every system takes. */
export function fileName(title: string, ending: string): string {
  const safe = title
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
    .slice(0, 80)
    .trim();
  return `${safe || 'portside'}.${ending}`;
}
