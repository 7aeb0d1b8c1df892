import { afterEach, describe, expect, it } from 'vitest';
import { kindOf, titleOf, withNames } from '../../lib/state/chat/call-names.ts';
import type { Setup, ToolSummary } from '../../lib/protocol/setup.ts';
import type { Server } from '../../lib/types/server.ts';
import { newCall, type ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { speak } from '../../locales/translate.ts';
import { assistant, setup } from './fake-worker.ts';

const server: Server = {
  id: 3,
  name: 'Everything',
  transport: 'streamable-http',
  url: 'http://127.0.0.1/mcp',
  enabled: true,
  toolTimeout: 30_000,
  headerNames: [],
  trusted: false,
  oneAtATime: false,
};
const tool: ToolSummary = {
  serverId: 3,
  name: 'a tool.with a name that no model takes',
  offeredName: 'mcp__3__a_tool_with_8f3c',
  description: '',
  annotations: {},
  enabled: true,
  permission: 'ask',
  present: true,
  tokens: 10,
};
const known: Setup = { ...setup, servers: [server], tools: [tool] };
const streamed = (name: string) => newCall(assistant(2), 0, { name, arguments: '' });

describe('a call that streams in', () => {
  it('shows the invisible characters of its names', () => {
    const turned = { ...known, servers: [{ ...server, name: 'A\u202eB' }] };
    expect(withNames(streamed(tool.offeredName), turned).serverName).toBe('A\\u202eB');
  });

  it('is shown under the server’s own name of the tool, however it was offered', () => {
    expect(withNames(streamed(tool.offeredName), known)).toMatchObject({
      toolName: tool.name,
      serverId: 3,
      serverName: 'Everything',
    });
  });

  it('keeps the name the model wrote when it is unknown', () => {
    expect(withNames(streamed('invented'), known).toolName).toBe('invented');
    expect(withNames(streamed('invented'), null).toolName).toBe('invented');
  });

  it('belongs to no server, and is not built in, when its tool is unknown', () => {
    const call = withNames(streamed('invented'), known);
    expect(call).toMatchObject({ serverId: null, serverName: '' });
    expect(kindOf(call)).toBe('none');
  });

  it('is told from one of Portside’s own tools', () => {
    expect(kindOf(withNames({ ...streamed('read_page'), serverName: 'Portside' }, known))).toBe('built-in');
    expect(kindOf(withNames(streamed(tool.offeredName), known))).toBe('mcp');
  });

  it('has some name even before its own has come', () => {
    expect(withNames(streamed(''), known)).toMatchObject({ toolName: 'tool', serverName: '' });
  });
});

describe('what a tool is called', () => {
  afterEach(() => speak('en', {}));
  const german = {
    ownTools: { read_page: 'Seite lesen' },
    names: { tools: { readMore: 'Weiterlesen', search: '' } },
  };
  const titles = (): string[] => {
    const own = (name: string, serverId: number | null): ToolCall => ({ ...streamed(name), serverId });
    return [
      titleOf(own('read_page', OWN_TOOLS), known),
      titleOf(own('read_more', null), known),
      titleOf(own('toString', null), known),
      titleOf({ ...streamed(tool.offeredName), annotations: { title: 'Its own' } }, known),
    ];
  };

  it('is said in the language of the moment, of Portside’s own tools; of others by their server', () => {
    expect(titles()).toEqual(['Read the page', 'Read more of a result', '', 'Its own']);
    speak('de', { shared: german });
    expect(titles()).toEqual(['Seite lesen', 'Weiterlesen', '', 'Its own']);
  });
});
