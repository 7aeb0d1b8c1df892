import { describe, expect, it } from 'vitest';
import type { ToolSummary } from '../../lib/protocol/setup.ts';
import { ownServer } from '../../lib/state/settings/own-server.ts';
import { findToolAlike, serverAlike, skeleton } from '../../lib/state/trust/look-alike.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';

describe('a name looks like', () => {
  it.each([
    ['another case', 'Read_File', 'read_file'],
    ['Cyrillic letters', 'reаd_filе', 'read_file'],
    ['Greek letters', 'reαd_fιle', 'read_file'],
    ['capital Cyrillic letters', 'РАУ', 'pay'],
    ['full-width letters', 'ｒｅａｄ', 'read'],
    ['invisible characters', 're\u200bad\u{e0041}', 'read'],
    ['accents', 'réad', 'read'],
    ['digits', 'f1nd_a11', 'find_all'],
    ['a zero', 'g0', 'go'],
    ['a capital i', 'fIle', 'file'],
    ['other separators', 'read-file.now', 'read_file_now'],
    ['r and n', 'rnail', 'mail'],
  ])('its own with %s', (_how, one, other) => {
    expect(skeleton(one)).toBe(skeleton(other));
  });

  it.each([
    ['read_file', 'read_files'],
    ['send', 'sent'],
    ['поиск', 'поезд'],
  ])('not %s like %s', (one, other) => {
    expect(skeleton(one)).not.toBe(skeleton(other));
  });
});

describe('a tool that may be taken for another one', () => {
  const server = (id: number, name: string, enabled = true) => ({ ...ownServer, id, name, enabled });
  const tool = (serverId: number, name: string, present = true) =>
    ({ serverId, name, present }) as ToolSummary;
  const servers = [server(1, 'Files'), server(2, 'Notes'), server(3, 'Off', false)];

  it('is pointed out with that one and whose it is', () => {
    const fake = tool(2, 'reаd_file');
    const find = findToolAlike({ servers, tools: [tool(1, 'read_file'), fake] });
    expect(find(fake)).toEqual({ name: 'read_file', server: 'Files' });
  });

  it('may look like one of Portside’s, which are never pointed out themselves', () => {
    const [own, fake] = [tool(OWN_TOOLS, 'fetch_url'), tool(1, 'fetch_ur1')];
    const find = findToolAlike({ servers, tools: [own, fake] });
    expect([find(fake), find(own)]).toEqual([{ name: 'fetch_url', server: 'Portside' }, undefined]);
  });

  it.each([
    ['the very same name', tool(1, 'search')],
    ['a server that is off', tool(3, 'Search')],
    ['a tool that is gone', tool(1, 'Search', false)],
    ['its own server', tool(2, 'Search')],
  ])('is none beside %s', (_what, other) => {
    const asked = tool(2, 'search');
    expect(findToolAlike({ servers, tools: [other, asked] })(asked)).toBeUndefined();
  });

  it('and a server likewise, or one that calls itself Portside', () => {
    expect(serverAlike({ id: 2, name: 'Fіles' }, { servers })).toBe('Files');
    expect(serverAlike({ id: 2, name: 'Pоrtside' }, { servers })).toBe('Portside');
    expect(serverAlike({ id: 2, name: 'Notes' }, { servers })).toBeUndefined();
    expect(serverAlike({ id: 2, name: '0ff' }, { servers })).toBeUndefined();
  });
});
