import { render, type ComponentChild } from 'preact';

/** As much of the DOM as Preact draws with, where no browser is. */
class FakeNode {
  childNodes: FakeNode[] = [];
  parentNode: FakeNode | null = null;
  attributes: [name: string, value: string][] = [];
  namespaceURI = 'http://www.w3.org/1999/xhtml';
  ownerDocument = { createElementNS, createTextNode };
  style = {};
  nodeType: number;
  localName: string;
  data: string;
  constructor(nodeType: number, localName: string, data = '') {
    this.nodeType = nodeType;
    this.localName = localName;
    this.data = data;
  }
  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }
  get nextSibling(): FakeNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }
  insertBefore(child: FakeNode, before: FakeNode | null): void {
    child.parentNode?.removeChild(child);
    child.parentNode = this;
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, child);
  }
  removeChild(child: FakeNode): void {
    this.childNodes.splice(this.childNodes.indexOf(child), 1);
  }
  setAttribute(name: string, value: string): void {
    this.attributes.push([name, value]);
  }
  removeAttribute(): void {}
  addEventListener(): void {}
}

function createElementNS(_namespace: string, name: string): FakeNode {
  return new FakeNode(1, name);
}
function createTextNode(text: string): FakeNode {
  return new FakeNode(3, '#text', text);
}

const written = ({ localName, data, attributes, childNodes }: FakeNode): string =>
  localName === '#text'
    ? data
    : `<${[localName, ...attributes.map(([name, value]) => `${name}="${value}"`)].join(' ')}>${childNodes.map(written).join('')}</${localName}>`;

/** What a component draws at first, as markup in which nothing is escaped. */
export function drawn(view: ComponentChild): string {
  const root = new FakeNode(1, 'root');
  const before = globalThis.document;
  globalThis.document = { createElementNS, createTextNode } as unknown as Document;
  try {
    render(view, root as unknown as Element);
  } finally {
    globalThis.document = before;
  }
  return written(root);
}
