/**
 * Import this before anything that imports zod: extension pages forbid `eval`, and zod compiles its
 * parsers with `new Function` unless it is told not to. https://zod.dev/api?id=jitless
 */
const KEY = '__zod_globalConfig';
// zod keeps the object that it finds, or makes, when it loads: where zod was loaded first, its own object is changed.
const settings: object = (Reflect.get(globalThis, KEY) as object | undefined) ?? {};
Reflect.set(globalThis, KEY, Object.assign(settings, { jitless: true }));
