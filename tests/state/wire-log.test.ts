import { describe, expect, it } from 'vitest';
import {
  filterLog,
  follows,
  isFault,
  logText,
  oncePerFrame,
  withEntry,
} from '../../lib/state/settings/wire-log.ts';
import type { WireEntry } from '../../lib/types/wire-log.ts';

const line = (seq: number, more: Partial<WireEntry> = {}): WireEntry => ({
  seq,
  at: `2026-11-21T10:00:00.${String(seq).padStart(3, '0')}Z`,
  kind: 'sent',
  summary: `line ${seq}`,
  size: 10,
  ...more,
});
const seqs = (log: WireEntry[]): number[] => log.map(({ seq }) => seq);

describe('a server’s log on a page', () => {
  it('grows by each line once, and keeps the last 200', () => {
    const log = Array.from({ length: 200 }, (_, index) => line(index + 1));
    const grown = withEntry(log, line(201));
    expect([grown.length, grown[0]?.seq, grown.at(-1)?.seq]).toEqual([200, 2, 201]);
    expect(withEntry(grown, line(201))).toBe(grown);
  });

  it('is drawn once a frame, as it is then, however many lines come meanwhile', () => {
    const frames: (() => void)[] = [];
    const shown: number[][] = [];
    const draw = oncePerFrame<WireEntry[]>(
      (log) => shown.push(seqs(log)),
      (paint) => frames.push(paint),
    );
    let log: WireEntry[] = [];
    for (const seq of [1, 2, 3]) draw((log = withEntry(log, line(seq))));
    expect([shown, frames.length]).toEqual([[], 1]);
    frames.shift()?.();
    expect(shown).toEqual([[1, 2, 3]]);
    draw(withEntry(log, line(4)));
    frames.shift()?.();
    expect(shown).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4],
    ]);
  });

  it('is read again when a line is missing, or the worker began anew', () => {
    const log = [line(1), line(2)];
    expect([line(3), line(2), line(4), line(1, { at: 'later' })].map((each) => follows(log, each))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(follows([], line(7))).toBe(true);
  });

  it('is searched by message, id and content, and for errors', () => {
    const log = [
      line(1, { summary: 'tools/call Echo' }),
      line(2, { id: 'echo-7' }),
      line(3, { body: '{"text":"ECHO"}', isError: true }),
      line(4, { level: 'critical' }),
      line(5, { level: 'warning' }),
    ];
    expect(seqs(filterLog(log, { show: 'all', text: ' echo ' }))).toEqual([1, 2, 3]);
    expect(seqs(filterLog(log, { show: 'errors', text: '' }))).toEqual([3, 4]);
    expect(log.filter(isFault)).toHaveLength(2);
  });

  it('is copied as a line each, and what was said beneath it', () => {
    const log = [line(1, { kind: 'received', id: '7', tookMs: 12.4, body: '{}' }), line(2)];
    expect(logText(log)).toBe(
      '2026-11-21T10:00:00.001Z received #7 line 1 12 ms\n{}\n2026-11-21T10:00:00.002Z sent line 2',
    );
  });
});
