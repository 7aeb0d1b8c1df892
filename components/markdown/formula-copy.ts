import { selectedText } from './selected-text.ts';

/** Copies formulas as TeX where text is wanted, as MathML where more is. */
export function copyFormulas(): void {
  document.addEventListener('copy', (event) => {
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
  });
}
