import * as dom from './dom.ts';

/** Selectors that look at more than an element's own and its ancestors' names and attributes. */
const BEYOND = /[+~]|\[(?:href|src)\b|:(?!:|root\b|link\b|any-link\b|visited\b|before\b|after\b)/;
/** Of these only what the person does tells elements apart. */
const DONE = /:(?:hover|focus|focus-within|focus-visible|active)\b/g;
/** What of a style hides text (hidden.ts); `--`: anything can be made of it. */
const HIDES =
  /\b(?:display|visibility|opacity|color|background|font|position|clip|overflow|contain(?=:)|text-(?:indent|fill|shadow|stroke)|transform|translate|scale|rotate|zoom|mask|margin|filter|animation|all)\b|--/;
const HIDES_ALL = /\b(?:display|visibility|opacity)\b/;
/** Rules and selectors for each element, at most: with more of them, a look at each element costs less. */
const RULES_EACH = 0.3;
const SELECTORS_EACH = 300_000;

/**
 * Tells elements that can look different from others of the same name, attributes and place: by their position among
 * others (`:nth-child()`, `a + b`), by what is in them, by what the person does, by an animation. All of them where the page's
 * styles can't be known, or are too many.
 */
export function singledOut(document: Document): (element: Element) => boolean {
  const count = Document.prototype.querySelectorAll.call(document, '*').length;
  const selectors = selectorsOf(document, count * RULES_EACH);
  if (!selectors || selectors.length * count > SELECTORS_EACH) return () => true;
  const found = new Set(selectors.length > 0 ? dom.select(document, selectors.join()) : []);
  for (const { effect } of Document.prototype.getAnimations.call(document))
    if (effect instanceof KeyframeEffect && effect.target) found.add(effect.target);
  return found.size > 0 ? (element) => found.has(element) : () => false;
}

/** Undefined when they can't be known. */
function selectorsOf(document: Document, most: number): string[] | undefined {
  const found: string[] = [];
  let rules = 0;
  const look = (list: CSSRuleList): boolean => {
    rules += list.length;
    return rules <= most && [...list].every(isPlain);
  };
  const isPlain = (rule: CSSRule): boolean => {
    if (rule instanceof CSSStyleRule) {
      const { selectorText, style, cssRules } = rule;
      if (cssRules.length > 0) return false;
      const isDone = BEYOND.test(selectorText) && !BEYOND.test(selectorText.replaceAll(DONE, ''));
      if (BEYOND.test(selectorText) && (isDone ? HIDES_ALL : HIDES).test(style.cssText))
        found.push(selectorText);
      return true;
    }
    if (rule instanceof CSSImportRule) return rule.styleSheet !== null && look(rule.styleSheet.cssRules);
    if (rule instanceof CSSMediaRule || rule instanceof CSSSupportsRule || rule instanceof CSSLayerBlockRule)
      return look(rule.cssRules);
    return !('cssRules' in rule) || rule instanceof CSSKeyframesRule;
  };
  try {
    const sheets = [...document.styleSheets, ...document.adoptedStyleSheets];
    return sheets.every(({ cssRules }) => look(cssRules)) ? found : undefined;
  } catch {
    return undefined; // another origin's
  }
}
