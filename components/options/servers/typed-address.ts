/** A host, perhaps with a port, and whatever follows it. One label alone is a host only with a port, or as `localhost`. */
const BARE =
  /^(?<host>localhost|\[[\da-f:.]+\]|[a-z\d-]+(?:\.[a-z\d-]+)+|[a-z\d-]+(?=:\d))(?::\d+)?(?:[/?#]|$)/i;
/** Hosts of this computer and of its own network, which rarely have certificates. */
const NEAR =
  /^(localhost|.+\.(localhost|local|lan|internal)|\[.*\]|[^.]+|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})$/i;

/** An address as it is meant: one without a scheme gets one. */
export function completeAddress(typed: string): string {
  const text = typed.trim();
  const host = BARE.exec(text)?.groups?.['host'];
  return host === undefined ? text : `${NEAR.test(host) ? 'http' : 'https'}://${text}`;
}
