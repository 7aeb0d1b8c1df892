import { describe, expect, it } from 'vitest';
import type { TextAppend } from '../../lib/protocol/panel.ts';
import { createStreams } from '../../lib/state/chat/streams.ts';
import { assistant, manualFrames } from './fake-worker.ts';

const streaming = assistant(2, { status: 'streaming', content: 'Hel', reasoning: 'Hm' });
const append = (text: string, at: number, part: TextAppend['part'] = 'text'): TextAppend => ({
  type: 'append',
  messageId: 'a2',
  part,
  at,
  text,
});

function open(message = streaming) {
  const frames = manualFrames();
  const streams = createStreams(frames.nextFrame);
  return { frames, streams, stream: streams.of(message) };
}

describe('a stream', () => {
  it('begins with what its message holds', () => {
    const tool_calls = [{ id: '', name: 'echo', arguments: '{' }];
    const { stream } = open({ ...streaming, tool_calls });
    expect(stream.text.value).toBe('Hel');
    expect(stream.reasoning.value).toBe('Hm');
    expect(stream.calls.value).toEqual([{ name: 'echo', arguments: '{' }]);
  });

  it('takes text at its end, for each part at its own offset, and draws all of it in one frame', () => {
    const { streams, stream, frames } = open();
    expect(streams.append(append('lo', 3))).toBe(true);
    expect(streams.append(append('!', 5))).toBe(true);
    expect(streams.append(append('m', 2, 'reasoning'))).toBe(true);
    expect(stream.text.value).toBe('Hel');
    expect(frames.asked()).toBe(1);
    frames.paint();
    expect([stream.text.value, stream.reasoning.value]).toEqual(['Hello!', 'Hmm']);
    streams.append(append('?', 6));
    expect(frames.asked()).toBe(2);
  });

  it.each([
    ['after a gap', append('x', 4)],
    ['that came already', append('l', 2)],
    ['of reasoning after a gap', append('x', 3, 'reasoning')],
    ['of a call after a gap', append('x', 1, { position: 0, name: 'echo' })],
    ['of a message that is not here', { ...append('x', 0), messageId: 'a3' }],
  ])('does not take text %s', (_which, missed) => {
    const { streams, stream, frames } = open();
    expect(streams.append(missed)).toBe(false);
    frames.paint();
    expect([stream.text.value, stream.reasoning.value, stream.calls.value]).toEqual(['Hel', 'Hm', []]);
  });

  it('takes the arguments of calls side by side, whose names may come later', () => {
    const { streams, stream, frames } = open();
    const call = (position: number, name: string, at: number, text: string) =>
      streams.append(append(text, at, { position, name }));
    expect([
      call(1, '', 0, '{"b":'),
      call(0, 'echo', 0, '{'),
      call(1, 'get-sum', 5, '1}'),
      call(0, '', 1, '}'),
    ]).toEqual([true, true, true, true]);
    frames.paint();
    expect(stream.calls.value).toEqual([
      { name: 'echo', arguments: '{}' },
      { name: 'get-sum', arguments: '{"b":1}' },
    ]);
  });

  it('begins anew from the message that it is asked for after it was dropped', () => {
    const { streams, stream, frames } = open();
    streams.append(append('lo', 3));
    streams.drop('a2');
    frames.paint();
    const again = streams.of({ ...streaming, content: 'W' });
    expect(again.text.value).toBe('W');
    expect(stream.text.value).toBe('Hel');
    expect(streams.append(append('ho', 1))).toBe(true);
  });
});
