/** What is selected, with formulas as they were written: see `.copying` in markdown.css. */
export function selectedText(): string {
  const { classList } = document.documentElement;
  classList.add('copying');
  const text = String(getSelection() ?? '');
  classList.remove('copying');
  return text;
}
