import { StringDecoder } from 'node:string_decoder';
import { constants, deflateRawSync } from 'node:zlib';
import type { FromNativeHost } from '../lib/types/native-host.ts';

/** What packing has to leave of a message at most, so that it pays: in JSON what is packed takes a third more. */
const WORTH = 0.6;

const { Z_FINISH, Z_SYNC_FLUSH } = constants;
const pack = (bytes: Buffer, isLast: boolean): Buffer =>
  // The fastest level; each piece can be read once it is there, and all of them are one stream.
  deflateRawSync(bytes, { level: 1, finishFlush: isLast ? Z_FINISH : Z_SYNC_FLUSH });

/**
 * Puts long messages into frames piece by piece. Chromium takes some 60 MB a second from a native host: what can be packed
 * fast to much less gets there sooner, which shows in the first piece.
 */
export function createLongMessages(channel: number): (piece: Buffer, last: boolean) => FromNativeHost {
  let decoder: StringDecoder | undefined;
  let isPacked: boolean | undefined;
  return (piece, last) => {
    isPacked ??= pack(piece, true).length < WORTH * piece.length;
    decoder ??= new StringDecoder('utf8');
    const data = isPacked
      ? pack(piece, last).toString('base64')
      : decoder.write(piece) + (last ? decoder.end() : '');
    const frame: FromNativeHost = { type: 'piece', channel, isPacked, data, last };
    if (last) isPacked = decoder = undefined;
    return frame;
  };
}
