import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventStream } from '../../lib/models/reply/event-stream.ts';

function read(pieces: Iterable<string>) {
  const events = createEventStream();
  return [...[...pieces].flatMap(events.push), ...events.end()];
}

describe('server-sent events', () => {
  it.each([
    [
      'data with and without a space',
      'data: a\n\ndata:b\n\n',
      [
        { event: '', data: 'a' },
        { event: '', data: 'b' },
      ],
    ],
    ['lines of one event', 'data: a\ndata: b\n\n', [{ event: '', data: 'a\nb' }]],
    [
      'a name, for one event only',
      'event: error\ndata: a\n\ndata: b\n\n',
      [
        { event: 'error', data: 'a' },
        { event: '', data: 'b' },
      ],
    ],
    [
      'comments, other fields and no fields',
      ': ping\nid: 1\nretry: 5\ndata: a\nnonsense\n\n',
      [{ event: '', data: 'a' }],
    ],
    ['an event without data', 'event: ping\n\ndata: a\n\n', [{ event: '', data: 'a' }]],
    ['an end without a blank line', 'data: a', [{ event: '', data: 'a' }]],
    ['an empty line of data', 'data\n\n', [{ event: '', data: '' }]],
    [
      'objects without blank lines between them',
      'data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n',
      [
        { event: '', data: '{"a":1}' },
        { event: '', data: '{"b":2}' },
        { event: '', data: '[DONE]' },
      ],
    ],
    ['an object over several lines', 'data: {"a":\ndata: {}}\n\n', [{ event: '', data: '{"a":\n{}}' }]],
    ['nothing', '', []],
  ])('are read: %s', (_, text, events) => {
    for (const newline of ['\n', '\r\n', '\r']) {
      expect(read([text.replaceAll('\n', newline)])).toEqual(events);
      expect(read(text.replaceAll('\n', newline))).toEqual(events);
    }
  });

  it('are the same however the text is cut', () => {
    const parts = fc.constantFrom(
      'event: error',
      'data: ',
      'data:',
      '{',
      '}',
      ':',
      'a',
      '\r',
      '\n',
      '\r\n',
      '\n\n',
    );
    const pieces = fc.array(fc.array(parts).map((list) => list.join('')));
    fc.assert(
      fc.property(pieces, (list) => {
        expect(read(list)).toEqual(read([list.join('')]));
      }),
    );
  });

  it('tell how much of an event is there before it is complete', () => {
    const events = createEventStream();
    events.push('data: 12345\ndata: 12');
    expect(events.held()).toBe(13);
    events.push('\n\n');
    expect(events.held()).toBe(0);
  });
});
