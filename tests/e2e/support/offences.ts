/**
 * What under an element of the page no text of others may become: elements that load, run or ask, and attributes that
 * do. Runs in the page.
 * @param ours a selector of what the page itself puts among such text
 * @returns one line for each
 */
export function offences(root: Element, ours = 'svg.i'): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (element.closest(`svg.i, ${ours}`)) continue;
    if (
      /^(?:script|style|iframe|frame|img|image|picture|form|input|select|textarea|link|meta|base|object|embed|video|audio|source|track|svg|template|portal)$/.test(
        element.localName,
      )
    ) {
      found.push(`<${element.localName}>`);
    }
    for (const { name, value } of element.attributes) {
      // Preact's ids, and values that only our own style sheets read.
      if (name === 'id' && /^(?:P\d[\w-]*|(?:chat|server)-[\w-]+)$/.test(value)) continue;
      if (name === 'style' && /^--[a-z]+: ?[\w.%]+;?$/.test(value)) continue;
      const bad =
        /^(?:on|style$|src|srcset$|ping$|id$|name$|action$|formaction$|xlink:|is$|slot$|part$)/.test(name);
      if (bad || (name === 'href' && !/^(?:https?|mailto):/.test(value))) found.push(`${name}="${value}"`);
    }
  }
  for (const link of root.querySelectorAll('a')) {
    if (link.matches(ours)) continue;
    if (link.target !== '_blank' || !link.relList.contains('noreferrer')) found.push(link.outerHTML);
  }
  return found;
}
