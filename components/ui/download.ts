/** Long enough for any browser to have begun. */
const KEPT_MS = 60_000;

/** Hands a text, or the parts of one, to the browser's downloads. */
export function download(name: string, text: string | BlobPart[], type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text].flat(), { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
