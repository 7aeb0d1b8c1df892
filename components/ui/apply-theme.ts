import { effect, type ReadonlySignal } from '@preact/signals';
import type { Setup } from '../../lib/protocol/setup.ts';

/**
 * Keeps the page in the theme and the text size that the user chose. Without a choice of the first it follows the
 * system (tokens.css).
 */
export function applyTheme(setup: ReadonlySignal<Setup | null>): void {
  effect(() => {
    const { theme = 'system', textSize = 'normal' } = setup.value?.settings ?? {};
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
    if (textSize === 'normal') delete dataset['textSize'];
    else dataset['textSize'] = textSize;
  });
}
