import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readGguf } from '../../lib/gguf/header.ts';
import { createSha256 } from '../../lib/gguf/sha256-stream.ts';
import { tinyGguf } from '../fakes/tiny-gguf.ts';

describe('the header of a GGUF file', () => {
  it('tells name, licence and context, also when it goes on behind what was read', () => {
    const { buffer } = tinyGguf();
    const facts = { name: 'Tiny test model', licence: 'mit', context: 8192 };
    expect(readGguf(buffer)).toEqual(facts);
    expect(readGguf(buffer.slice(0, 2000))).toEqual(facts);
  });

  it('is none where the file is another, or ends at once', () => {
    expect(readGguf(new TextEncoder().encode('<!doctype html><html></html>').buffer)).toBe(undefined);
    expect(readGguf(tinyGguf().buffer.slice(0, 6))).toBe(undefined);
  });

  it('tells what it read before a length that cannot be', () => {
    const bytes = tinyGguf();
    const view = new DataView(bytes.buffer);
    // How many there are, and how long the second key is.
    view.setBigUint64(16, 2n ** 63n, true);
    view.setBigUint64(24 + 8 + 'general.architecture'.length + 4 + 8 + 'llama'.length, 2n ** 62n, true);
    expect(readGguf(bytes.buffer)).toEqual({});
  });
});

describe('SHA-256 in pieces', () => {
  it('is what it is of the whole', () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
      const bytes = randomBytes(length);
      const hash = createSha256();
      for (let at = 0; at < length; at += 37) hash.push(bytes.subarray(at, at + 37));
      expect(hash.end()).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });
});
