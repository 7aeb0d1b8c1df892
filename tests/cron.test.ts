import { describe, expect, it } from 'vitest';
import { nextTime, readCron } from '../lib/cron.ts';

/** The next times that a line names after one, in local time. */
function timesOf(line: string, after: string, count = 1): string[] {
  const read = readCron(line);
  if ('fault' in read) throw new Error(JSON.stringify(read.fault));
  const times: string[] = [];
  for (let at: number | undefined = new Date(after).getTime(); times.length < count;) {
    at = nextTime(read.cron, at);
    if (at === undefined) break;
    const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
    times.push(local.toISOString().slice(0, 16));
  }
  return times;
}

describe('a cron line', () => {
  it('names the next time after a given one, never that itself', () => {
    expect(timesOf('30 8 * * *', '2026-11-27T08:30', 2)).toEqual(['2026-11-28T08:30', '2026-11-29T08:30']);
    expect(timesOf('30 8 * * *', '2026-11-27T08:29:59')).toEqual(['2026-11-27T08:30']);
  });

  it('takes lists, ranges, steps and English names, and both numbers of Sunday', () => {
    expect(timesOf('*/20 9-10,17 * * *', '2026-11-27T10:30', 3)).toEqual([
      '2026-11-27T10:40',
      '2026-11-27T17:00',
      '2026-11-27T17:20',
    ]);
    expect(timesOf('5/25 0 * JAN Mon-Fri', '2026-11-27T00:00', 2)).toEqual([
      '2027-01-01T00:05',
      '2027-01-01T00:30',
    ]);
    expect(timesOf('0 0 * * 7', '2026-11-27T00:00')).toEqual(timesOf('0 0 * * sun', '2026-11-27T00:00'));
  });

  it('of named days and weekdays takes either, of one that is * the other alone', () => {
    expect(timesOf('0 0 13 * 5', '2026-11-27T12:00', 3)).toEqual([
      '2026-12-04T00:00',
      '2026-12-11T00:00',
      '2026-12-13T00:00',
    ]);
    expect(timesOf('0 0 13 * *', '2026-11-27T12:00')).toEqual(['2026-12-13T00:00']);
  });

  it('waits eight years for the 29th of February', () => {
    expect(timesOf('0 0 29 2 *', '2096-03-01T00:00')).toEqual(['2104-02-29T00:00']);
  });

  it('that names no date is at fault as a whole', () => {
    expect(readCron('0 0 30 2 *')).toEqual({ fault: { type: 'never' } });
  });

  it.each(['* * * *', '', '* * * * * *', '@daily'])('%j has not five parts', (line) => {
    expect(readCron(line)).toEqual({ fault: { type: 'count' } });
  });

  it.each([
    ['61 * * * *', '61', 0, 59],
    ['* 24 * * *', '24', 0, 23],
    ['* * 0 * *', '0', 1, 31],
    ['* * * foo *', 'foo', 1, 12],
    ['* * * * 5-1', '5-1', 0, 7],
    ['*/0 * * * *', '*/0', 0, 59],
    ['1,,2 * * * *', '', 0, 59],
    ['1-2-3 * * * *', '1-2-3', 0, 59],
    ['-1 * * * *', '-1', 0, 59],
    ['1e1 * * * *', '1e1', 0, 59],
  ])('%j is at fault in %j, with what would fit', (line, part, least, most) => {
    expect(readCron(line)).toEqual({ fault: { type: 'part', part, least, most } });
  });
});
