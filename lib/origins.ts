/** True of this computer's own names, so that requests to them do not leave it. @param hostname as `URL` has it */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Where the demo model answers: inside of the worker, so that no request leaves it and no access is needed. */
export const DEMO_URL = 'http://demo.localhost/v1';

export const isDemo = (url: string): boolean => url === DEMO_URL;

/** The match pattern that covers an address. Patterns carry no port, so it covers every port of the host. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}
