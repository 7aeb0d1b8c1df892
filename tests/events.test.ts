import { describe, expect, it } from 'vitest';
import { createEvents } from '../lib/events.ts';

describe('an event', () => {
  const open = () => createEvents<{ saved: [id: number]; closed: [] }>();

  it('calls its own listeners at once, in the order in which they came', () => {
    const events = open();
    const heard: string[] = [];
    events.on('saved', (id) => heard.push(`first ${id}`));
    events.on('closed', () => heard.push('closed'));
    events.on('saved', (id) => heard.push(`second ${id}`));
    void events.emit('saved', 7);
    expect(heard).toEqual(['first 7', 'second 7']);
  });

  it('is dealt with when all its listeners are through, and fails with one of them', async () => {
    const events = open();
    let isThrough = false;
    events.on('saved', async () => {
      await new Promise(setImmediate);
      isThrough = true;
    });
    await events.emit('saved', 1);
    expect(isThrough).toBe(true);
    events.on('saved', () => {
      throw new Error('full');
    });
    await expect(events.emit('saved', 2)).rejects.toThrow('full');
    await events.emit('closed');
  });
});
