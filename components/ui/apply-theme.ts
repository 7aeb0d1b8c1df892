import { effect, type ReadonlySignal } from '@preact/signals';
import type { Setup } from '../../lib/protocol.ts';

/** Keeps the page in the theme that the person chose; without a choice it follows the system. */
export function applyTheme(setup: ReadonlySignal<Setup | null>): void {
  effect(() => {
    const theme = setup.value?.settings.theme ?? 'system';
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  });
}
