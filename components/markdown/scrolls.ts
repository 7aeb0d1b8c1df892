const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const frame = target.parentElement;
    if (!frame) continue;
    // Read after layout, which it does not bring about. A pixel more is rounding.
    const scrolls = frame.scrollWidth > frame.clientWidth + 1;
    if (scrolls === frame.hasAttribute('tabindex')) continue;
    if (scrolls) frame.tabIndex = 0;
    else frame.removeAttribute('tabindex');
  }
});

/** Makes what `content` stands in a stop of the Tab key as long as it is wider than that: arrows scroll it then. */
export const watchWidth = (content: Element): void => observer.observe(content);
