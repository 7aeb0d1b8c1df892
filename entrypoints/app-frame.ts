import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

/**
 * Becomes the app that it is given (MCP Apps), under the app's own policy, in a frame of an opaque origin: nothing is here
 * that the app could take. A document that is written over keeps the policies that it has.
 */
export default defineUnlistedScript(() => {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, { value: createStorage(), configurable: true });
  addEventListener(
    'message',
    ({ data, source }: MessageEvent<{ html: string; policy: string }>) => {
      if (source !== parent) return;
      const meta = document.createElement('meta');
      meta.httpEquiv = 'Content-Security-Policy';
      meta.content = data.policy;
      document.head.append(meta);
      document.open();
      document.write(data.html);
      document.close();
    },
    { once: true },
  );
});

/** Apps may expect a storage, and an opaque origin has none: what they put there ends with the frame. */
function createStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (at) => [...items.keys()][at] ?? null,
    getItem: (key) => items.get(String(key)) ?? null,
    setItem: (key, value) => void items.set(String(key), String(value)),
    removeItem: (key) => void items.delete(String(key)),
    clear: () => items.clear(),
  };
}
