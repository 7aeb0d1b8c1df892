import { describe, expect, it } from 'vitest';
import { isAlike, isIn, isTaken } from '../../../../lib/tools/page/actions/typed-text.ts';

describe('what was typed into a field', () => {
  it.each([
    ['Grace', 'Grace'],
    ['', ''],
    ['one\n\ntwo', 'one\ntwo'],
    ['(555) 123-4567', '5551234567'],
    ['555-123-4567', '(555) 123.4567'],
    ['+49 151 2345678', '+491512345678'],
    ['4111 1111 1111 1111', '4111111111111111'],
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['31.12.2026', '31122026'],
    ['1,234', '1234'],
    ['1.234,50 €', '1234.5'],
    ['1234', '1,234'],
    ['$12.00', '12'],
    ['14:30', '1430'],
    ['12/26', '1226'],
    ['1/2', '12'], // a date that is half typed
    ['123-456', '123456'],
    ['+49 170 1234567', '0170 1234567'],
    ['+1 555-123-4567', '5551234567'],
    ['https://leith.example/', 'leith.example'],
    ['LEITH', 'leith'],
    ['ADA', 'Ada'], // a field may write all large; the result says what it holds
  ])('was taken where the field holds %j after %j', (now, typed) => {
    expect(isTaken(now, typed)).toBe(true);
  });

  it.each([
    ['15', '1.5'],
    ['5', '-5'],
    ['', '!!!'],
    ['', ' '],
    ['1234567', '12345.67'],
    ['12345.67', '1234567'],
    ['1234567', '-1234567'],
    ['5551234567', '+5551234567'],
    ['12', '1/2'],
    ['ab', 'a-b'],
    ['7', '007'],
    ['14.30', '1430'],
    ['12', '12.34'],
    ['1234', '1.234'],
    ['Adam', 'Ada'],
    ['Ad', 'Ada'],
    ['5551234568', '5551234567'],
    ['+495551234568', '5551234567'],
    ['https://leith.example', 'hull.example'],
  ])('was not where it holds %j after %j', (now, typed) => {
    expect(isTaken(now, typed)).toBe(false);
  });
});

describe('what a field holds a while later', () => {
  it.each([
    ['Ber', 'Berlin, Germany', true],
    ['12', '$12.00', true],
    ['leith', 'LEITH', true],
    ['99', '10', false],
    ['1', '10', false],
    ['2', '12', false],
    ['5', '0.5', false],
    ['Tide', 'TideTide', false],
    ['Tide', 'tide', true],
    ['2026-12-24', '2026-12-28', false],
    ['abc', '', false],
  ])('is %j, of which %j came: %j', (typed, held, is) => {
    expect(isIn(typed, held)).toBe(is);
  });
});

describe('what an editor made of signs', () => {
  it.each([
    ['# Tide', 'Tide\n\n', true],
    ['- **Brig**', 'Brig', true],
    ['# Tide', 'Tid', false],
    ['!!!', '', false],
  ])('is of %j, as %j: %j', (typed, held, is) => {
    expect(isAlike(typed, held)).toBe(is);
  });
});
