import { describe, expect, it } from 'vitest';
import { offeredName } from '../../lib/mcp/names.ts';

const FITS = /^[a-zA-Z0-9_-]{1,64}$/;

describe('the name under which a tool is offered', () => {
  it('is mcp, the server’s id and the tool’s name', () => {
    expect(offeredName(3, 'echo')).toBe('mcp__3__echo');
    expect(offeredName(12, 'get-sum_2')).toBe('mcp__12__get-sum_2');
  });

  it.each(['files.read', 'größe', 'a/b c', '🔧', '', 'x'.repeat(300)])(
    'fits what models accept: %s',
    (name) => {
      expect(offeredName(1, name)).toMatch(FITS);
    },
  );

  it('keeps a name that just fits and shortens one that just does not', () => {
    const fits = 'x'.repeat(64 - 'mcp__1__'.length);
    expect(offeredName(1, fits)).toBe(`mcp__1__${fits}`);
    expect(offeredName(1, `${fits}x`)).toHaveLength(64);
  });

  it('stays different for tools whose names differ only where they were changed', () => {
    const long = 'x'.repeat(80);
    const names = ['a.b', 'a/b', 'a_b', 'a b', `${long}1`, `${long}2`].map((name) => offeredName(1, name));
    expect(new Set(names).size).toBe(names.length);
  });

  it('is the same every time', () => {
    expect(offeredName(7, 'files.read')).toBe(offeredName(7, 'files.read'));
    expect(offeredName(7, 'files.read')).toMatch(/^mcp__7__files_read_[a-z0-9]{10}$/);
  });
});
