import * as dom from '../dom.ts';

/** Elements in which nothing can be written. */
const VOID = /^(img|hr|input|textarea|select|button|video|audio|canvas|iframe|object|embed|wbr)$/;

/** Where the next character goes: Firefox writes after the last paragraph of an editor if the caret is put there. */
export function endOf(editor: Node): [Node, number] {
  for (let at = editor; ;) {
    let last = dom.lastChild(at);
    while (last && isBlank(last)) last = dom.previousSibling(last);
    if (!last) return [at, 0];
    if (dom.nodeType(last) === 3) return [last, (last as Text).length];
    if (dom.isElement(last) && dom.localName(last) === 'br')
      return [at, [...at.childNodes].indexOf(last as ChildNode)];
    if (!isWritten(last)) return [at, at.childNodes.length];
    at = last;
  }
}

/** The line breaks between paragraphs' tags, and comments. */
function isBlank(node: Node): boolean {
  if (dom.isElement(node)) return false;
  const text = dom.textContent(node) ?? '';
  return dom.nodeType(node) !== 3 || (text.includes('\n') && text.trim() === '');
}

/** Whether text can be written into a node of an editor's: not into a picture, or what a page has locked. */
const isWritten = (node: Node): boolean =>
  node instanceof HTMLElement && node.isContentEditable && !VOID.test(dom.localName(node));
