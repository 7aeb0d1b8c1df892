/** Copies formulas as TeX where text is wanted, as MathML where more is. */
export function copyFormulas(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return;
  const copied = document.createElement('div');
  copied.append(selection.getRangeAt(0).cloneContents());
  const written = copied.querySelectorAll('.tex');
  if (written.length === 0 || !event.clipboardData) return;
  for (const tex of written) tex.remove();
  event.clipboardData.setData('text/plain', selectedText());
  event.clipboardData.setData('text/html', copied.innerHTML);
  event.preventDefault();
}

/** What is selected, with formulas as they were written: see `.copying` in markdown.css. */
export function selectedText(): string {
  const { classList } = document.documentElement;
  classList.add('copying');
  const text = String(getSelection() ?? '');
  classList.remove('copying');
  return text;
}
