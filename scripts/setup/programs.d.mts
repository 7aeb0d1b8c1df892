/** The browser to use: `PORTSIDE_BROWSER`, else an installed Chromium, Chrome or Edge. */
export function findChromium(): string | undefined;
/** `PORTSIDE_FIREFOX`, else an installed Firefox. */
export function findFirefox(): string | undefined;
/** The first of these programs on the PATH. */
export function findOnPath(names: string[]): string | undefined;
