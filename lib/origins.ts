/** True of this computer's own names, so that requests to them do not leave it. @param hostname as `URL` has it */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Where the demo model answers: inside of the worker. */
export const DEMO_URL = 'http://demo.localhost/v1';

/** Where the browser's own model answers: in a document of Portside's. */
export const BROWSER_URL = 'http://browser.localhost/v1';

/** Whether what is asked there stays inside of Portside: no request leaves it, and no access is needed. */
export const answersInside = (url: string): boolean => url === DEMO_URL || url === BROWSER_URL;

/** The match pattern that covers an address. Patterns carry no port, so it covers every port of the host. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}
