import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const manifest = read('wxt.config.ts');
const valueOf = (pattern: RegExp): string => pattern.exec(manifest)?.[1] ?? expect.fail(`No ${pattern}.`);

/** As Chromium names an extension: half of its key's hash, with letters for digits. */
function chromiumId(key: string): string {
  const hash = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  return hash.replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
}

it('the client ID metadata document has all that it must, and every address that a browser sends users back to', () => {
  const document = JSON.parse(read('docs/client-metadata.json')) as Record<string, unknown>;
  const gecko = createHash('sha1').update(valueOf(/gecko: \{\s*id: '([^']+)'/));
  expect(document).toMatchObject({
    client_name: 'Portside',
    redirect_uris: [
      `https://${chromiumId(valueOf(/publicKey =\s*'([^']+)'/))}.chromiumapp.org/`,
      `https://${gecko.digest('hex')}.extensions.allizom.org/`,
    ],
    response_types: ['code'],
    // No secret ships with an extension.
    token_endpoint_auth_method: 'none',
  });
  const { protocol, pathname, hash } = new URL(String(document['client_id']));
  expect([protocol, pathname.length > 1, hash]).toEqual(['https:', true, '']);
});
