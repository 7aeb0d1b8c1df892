import { bytesOf } from '../../base64.ts';
import { isNearer } from '../../origins.ts';
import type { AppDocument } from '../../types/app.ts';
import { isRecord, listOf, recordOf } from '../../json.ts';
import { isText, type Raw } from '../content/raw.ts';

const MIME_TYPE = 'text/html;profile=mcp-app';
/** Characters. PDF.js and a chart library in one file are about three million. */
const MOST_HTML = 12_000_000;
const MOST_SOURCES = 40;

/**
 * The HTML of a `resources/read` result that shows a tool's calls, with the policy it is to run under; undefined where it has none.
 * @param host of the server; null for a program on this computer. What is nearer to the user than that is out of the app's reach
 */
export function toAppDocument(result: Raw, host: string | null): AppDocument | undefined {
  const contents = listOf(result['contents']).filter(isRecord);
  const found = contents.find(({ mimeType }) => isText(mimeType) && isAppType(mimeType));
  const html = found && htmlOf(found);
  if (html === undefined || html.length > MOST_HTML) return undefined;
  const meta = recordOf(found?.['_meta']);
  const ui = recordOf(meta['ui']);
  return { html, policy: policyOf(recordOf(ui['csp']), host) };
}

const isAppType = (mimeType: string): boolean => mimeType.replaceAll(/\s/g, '').toLowerCase() === MIME_TYPE;

function htmlOf({ text, blob }: Raw): string | undefined {
  if (isText(text)) return text;
  if (!isText(blob)) return undefined;
  try {
    return new TextDecoder().decode(bytesOf(blob));
  } catch {
    return undefined; // no base64
  }
}

/**
 * The Content-Security-Policy of an app: nothing but what its resource declares. `'self'` would be Portside's own files.
 * Source: SEP-1865, "Host Behavior" and "Sandbox proxy".
 */
function policyOf(csp: Raw, host: string | null): string {
  const [connect, resource, frame, base] = (
    ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const
  ).map((name) => sourcesIn(csp[name], host));
  const directives: Record<string, string[]> = {
    'default-src': [],
    'script-src': ["'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", 'blob:', 'data:', ...resource!],
    'worker-src': ['blob:', 'data:'],
    'style-src': ["'unsafe-inline'", 'blob:', 'data:', ...resource!],
    'img-src': ['data:', 'blob:', ...resource!],
    'font-src': ['data:', 'blob:', ...resource!],
    'media-src': ['data:', 'blob:', ...resource!],
    'connect-src': ['data:', 'blob:', ...connect!],
    'frame-src': frame!,
    'base-uri': base!,
    'object-src': [],
    'form-action': [],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ') || "'none'"}`)
    .join('; ');
}

/** `https://*.example.com:8443`, `wss://example.com`: an origin, nothing that could end a directive or widen it. */
const SOURCE =
  /^(https?|wss?):\/\/(\*\.)?((?:[a-z\d-]{1,63}\.){0,10}[a-z\d-]{1,63}|\[[\da-f:.]{2,45}\])(:\d{1,5}|:\*)?\/?$/i;

function sourcesIn(value: unknown, host: string | null): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_SOURCES).flatMap((source: unknown) => {
    const parts = isText(source) && source.length <= 300 ? SOURCE.exec(source) : null;
    if (!parts) return [];
    const [whole, , wildcard, name = ''] = parts;
    // A browser compares how a host ends, also of an address: `*.0.0.1` is this computer, too.
    const isAddress = wildcard !== undefined && /(?:^|\.)\d+$/.test(name);
    return host !== null && (isAddress || isNearer(name, host)) ? [] : [whole];
  });
}
