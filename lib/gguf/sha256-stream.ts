const K = Uint32Array.from({ length: 64 }, (_, index) => fraction(prime(index), 3));
const START = Uint32Array.from({ length: 8 }, (_, index) => fraction(prime(index), 2));

function prime(index: number): number {
  let number = 1;
  for (let left = index; left >= 0;)
    if (Array.from({ length: (number += 1) - 2 }, (_, each) => each + 2).every((each) => number % each > 0))
      left -= 1;
  return number;
}

/** The first 32 bits of the fraction of a root. */
function fraction(number: number, root: 2 | 3): number {
  const whole = root === 2 ? Math.sqrt(number) : Math.cbrt(number);
  return ((whole - Math.floor(whole)) * 2 ** 32) >>> 0;
}

/** SHA-256 (FIPS 180-4) of what comes in pieces: WebCrypto wants all of it at once, which is too much for weights. */
export function createSha256(): { push: (bytes: Uint8Array) => void; end: () => string } {
  const state = START.slice();
  const words = new Uint32Array(64);
  const block = new Uint8Array(64);
  const view = new DataView(block.buffer);
  let filled = 0;
  let total = 0;

  function push(bytes: Uint8Array): void {
    total += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + 64 - filled);
      block.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled === 64) compress();
    }
  }

  function compress(): void {
    filled = 0;
    for (let t = 0; t < 16; t += 1) words[t] = view.getUint32(t * 4);
    for (let t = 16; t < 64; t += 1) {
      const x = words[t - 15]!;
      const y = words[t - 2]!;
      const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      words[t] = words[t - 16]! + low + words[t - 7]! + high;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let t = 0; t < 64; t += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + s1 + ((e & f) ^ (~e & g)) + K[t]! + words[t]!) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index]! += value));
  }

  function end(): string {
    const bits = total * 8;
    push(Uint8Array.of(0x80));
    push(new Uint8Array((120 - filled) % 64));
    const length = new DataView(new ArrayBuffer(8));
    length.setBigUint64(0, BigInt(bits));
    push(new Uint8Array(length.buffer));
    return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
  }
  return { push, end };
}
