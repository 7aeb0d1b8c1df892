import type { McpUiHostContext, McpUiStyles } from '@modelcontextprotocol/ext-apps/app-bridge';

/** The specification's names of Portside's tokens (components/ui/tokens.css). Source: SEP-1865, "Theming". */
const VARIABLES: Partial<Record<keyof McpUiStyles, string>> = {
  '--color-background-primary': '--bg',
  '--color-background-secondary': '--bg-sunken',
  '--color-background-tertiary': '--bg-tint',
  '--color-background-inverse': '--fg',
  '--color-background-info': '--accent-soft',
  '--color-background-danger': '--danger-soft',
  '--color-background-success': '--ok-soft',
  '--color-background-warning': '--warn-soft',
  '--color-background-disabled': '--bg-press',
  '--color-text-primary': '--fg',
  '--color-text-secondary': '--fg-muted',
  '--color-text-tertiary': '--fg-subtle',
  '--color-text-inverse': '--bg',
  '--color-text-info': '--accent',
  '--color-text-danger': '--danger',
  '--color-text-success': '--ok',
  '--color-text-warning': '--warn',
  '--color-text-disabled': '--fg-subtle',
  '--color-border-primary': '--line',
  '--color-border-secondary': '--line-strong',
  '--color-border-tertiary': '--line',
  '--color-border-danger': '--danger-line',
  '--color-border-warning': '--warn-line',
  '--color-ring-primary': '--focus',
  '--font-sans': '--font',
  '--font-mono': '--mono',
  '--font-weight-normal': '--w-regular',
  '--font-weight-medium': '--w-medium',
  '--font-weight-semibold': '--w-bold',
  '--border-radius-xs': '--r1',
  '--border-radius-sm': '--r2',
  '--border-radius-md': '--r3',
  '--border-radius-lg': '--r4',
  '--border-radius-full': '--r-full',
  '--shadow-sm': '--shadow-1',
  '--shadow-md': '--shadow-2',
};

/** An app that gets no more is scrolled in its frame. */
export const mostHeight = (): number => Math.max(160, Math.round(innerHeight * 0.75));

/** How Portside looks to the user at the moment, as an app is told (`McpUiHostContext`). */
export function hostContext(frame: HTMLElement, mode: 'inline' | 'fullscreen'): McpUiHostContext {
  const root = document.documentElement;
  const styles = getComputedStyle(root);
  const variables = Object.entries(VARIABLES).map(([name, token]) => [
    name,
    styles.getPropertyValue(token).trim(),
  ]);
  const { width, height } = frame.getBoundingClientRect();
  const size = mode === 'inline' ? { maxHeight: mostHeight() } : { height: Math.round(height) };
  return {
    theme: isDark() ? 'dark' : 'light',
    styles: { variables: Object.fromEntries(variables) as McpUiStyles },
    displayMode: mode,
    availableDisplayModes: ['inline', 'fullscreen'],
    containerDimensions: { width: Math.round(width), ...size },
    locale: root.lang || navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: 'Portside',
    platform: 'desktop',
    deviceCapabilities: {
      touch: matchMedia('(any-pointer: coarse)').matches,
      hover: matchMedia('(any-hover: hover)').matches,
    },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

/** Calls `changed` whenever what an app is told of the looks may be another. @returns what ends it */
export function followLooks(frame: HTMLElement, changed: () => void): () => void {
  const attributes = new MutationObserver(changed);
  attributes.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'lang', 'data-text-size'],
  });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', changed);
  let width = frame.clientWidth;
  const size = new ResizeObserver(() => {
    if (frame.clientWidth === width) return;
    width = frame.clientWidth;
    changed();
  });
  size.observe(frame);
  return () => {
    attributes.disconnect();
    scheme.removeEventListener('change', changed);
    size.disconnect();
  };
}
