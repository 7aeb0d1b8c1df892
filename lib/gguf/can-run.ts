/** The runtime suspends itself while it waits (JSPI, Chromium 137), in a document that Firefox has none of. */
export const canRunGguf = (): boolean => !import.meta.env.FIREFOX && 'Suspending' in WebAssembly;
