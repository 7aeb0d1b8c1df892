/**
 * What under an element of the page no text of others may become: elements that load, run or ask, and attributes that
 * do. Runs in the page.
 * @returns one line for each
 */
export function offences(root: Element): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    // Our own icons.
    if (element.closest('svg.i')) continue;
    if (
      /^(?:script|style|iframe|frame|img|image|picture|form|input|select|textarea|link|meta|base|object|embed|video|audio|source|track|svg|template|portal)$/.test(
        element.localName,
      )
    ) {
      found.push(`<${element.localName}>`);
    }
    for (const { name, value } of element.attributes) {
      const bad =
        /^(?:on|style$|src|srcset$|ping$|id$|name$|action$|formaction$|xlink:|is$|slot$|part$)/.test(name);
      if (bad || (name === 'href' && !/^(?:https?|mailto):/.test(value))) found.push(`${name}="${value}"`);
    }
  }
  for (const link of root.querySelectorAll('a')) {
    if (link.target !== '_blank' || !link.relList.contains('noreferrer')) found.push(link.outerHTML);
  }
  return found;
}
