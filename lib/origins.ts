/** The match pattern that covers an address. Patterns carry no port, so it covers every port of the host. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}
