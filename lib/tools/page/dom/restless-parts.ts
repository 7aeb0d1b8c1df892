import * as dom from './dom.ts';

/** Parts that say themselves that they are about to change. */
const LOADING = '[aria-busy="true"], progress, [role="progressbar"]';
const TURNING = '[aria-roledescription="carousel" i], [role="marquee"], [role="timer"]';
/** Says that something loads around it, until it is gone. */
const WAITING = 'progress:not([value]), [role="progressbar"]:not([aria-valuenow])';
const MOST_PARTS = 10;

/**
 * Notes what of the document loads or turns before something is done: what comes there may come by itself.
 * @param linesIn those of an element, as changes are told
 * @returns the lines that such parts had or have by now; of one that turns nothing, if something was done in it
 */
export function restlessParts(
  linesIn: (part: Element) => string[],
): (acted: Element | undefined) => Set<string> {
  const note = (part: Element) => ({ part, around: dom.elementAround(part) ?? part, before: linesIn(part) });
  const within = (selector: string) => dom.select(document, selector).slice(0, MOST_PARTS).map(note);
  const [loading, turning] = [within(LOADING), within(TURNING)];
  const signs = [...within(WAITING), ...spinning().map(note)];
  return (acted) => {
    const others = turning.filter(({ part }) => !acted || !part.contains(acted));
    return new Set([
      ...[...loading, ...others].flatMap(({ part, around, before }) => [
        ...before,
        ...linesIn(part.isConnected ? part : around),
      ]),
      ...signs
        .filter(({ part }) => !part.isConnected || !isSeen(part))
        .flatMap(({ around, before }) => [...before, ...linesIn(around)]),
    ]);
  };
}

const isSeen = (part: Element): boolean =>
  Element.prototype.checkVisibility.call(part, { opacityProperty: true, visibilityProperty: true });

/** What turns for ever, as spinners do, and what stands in for what loads. */
const spinning = (): Element[] =>
  Document.prototype.getAnimations
    .call(document)
    .flatMap(({ effect }) =>
      effect instanceof KeyframeEffect && effect.target && effect.getTiming().iterations === Infinity
        ? effect.target
        : [],
    )
    .slice(0, MOST_PARTS);
