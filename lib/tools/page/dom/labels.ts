import * as dom from './dom.ts';

const NONE: readonly Element[] = [];
/** References that are followed: a page may have each part of it refer to the whole. */
export const MOST_FOLLOWED = 20;

/** Those of its `aria-labelledby`. */
export function labelledByElements(element: Element): Element[] {
  const ids = dom.attribute(element, 'aria-labelledby')?.split(/\s+/).filter(Boolean);
  if (!ids) return [];
  const tree = dom.treeOf(element);
  const { prototype } = dom.nodeType(tree) === 9 ? Document : DocumentFragment;
  return ids.slice(0, MOST_FOLLOWED).flatMap((id) => prototype.getElementById.call(tree, id) ?? []);
}

/**
 * The labels of form fields, in the order of their tree. A browser looks through all of it for the `labels` of each field;
 * here that is done once, so it holds for as long as one looks at a page.
 */
export function createLabels(): (field: Element) => readonly Element[] {
  const trees = new Map<Node, Map<Element, Element[]>>();
  return (field) => {
    const tree = dom.treeOf(field);
    let labels = trees.get(tree);
    if (!labels) trees.set(tree, (labels = labelsIn(tree)));
    return labels.get(field) ?? NONE;
  };
}

function labelsIn(tree: Document | ShadowRoot): Map<Element, Element[]> {
  const labels = new Map<Element, Element[]>();
  for (const label of dom.select(tree, 'label')) {
    const { control } = label as HTMLLabelElement;
    const others = control && labels.get(control);
    if (others) others.push(label);
    else if (control) labels.set(control, [label]);
  }
  return labels;
}
