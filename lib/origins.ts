/** True of this computer's own names, so that requests to them do not leave it. @param hostname as `URL` has it */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** The match pattern that covers an address. Patterns carry no port, so it covers every port of the host. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}
