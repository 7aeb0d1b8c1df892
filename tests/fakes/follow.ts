/** Stands for the browser's window: follows the authorization server's redirects until they lead back to Portside. */
export function followTo(redirectUrl: string): (url: URL) => Promise<URL> {
  return async (url) => {
    let at = url;
    for (;;) {
      const response = await fetch(at, { redirect: 'manual' });
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (location === null) throw new Error(`HTTP ${response.status}: the page stays where it is.`);
      at = new URL(location, at);
      if (at.href.startsWith(redirectUrl)) return at;
    }
  };
}
