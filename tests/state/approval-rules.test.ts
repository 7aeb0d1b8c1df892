import { expect, it } from 'vitest';
import { alsoAllowed, denied, hostsOf, isInUntold, reachOf } from '../../lib/state/trust/approval-rules.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { SANDBOXED } from '../../lib/types/page.ts';

/** A call of a tool that acts on a page, unless it is said otherwise. */
const call = (part: Partial<ToolCall> = {}): ToolCall => ({
  callId: 'm1.0',
  runId: 'r1',
  position: 0,
  toolCallId: 't1',
  messageId: 'm1',
  conversationId: 'c1',
  serverId: OWN_TOOLS,
  serverName: 'Portside',
  toolName: 'click',
  namespacedName: 'portside__click',
  arguments: '{}',
  annotations: {},
  status: 'pending',
  createdAt: '2026-01-01T00:00:00.000Z',
  reads: 'https://shop.example:8443',
  ...part,
});

it('a call reaches the hosts of its page and of the frames there, and one that only reads none', () => {
  const targetSites = ['https://pay.example', 'null'];
  expect(hostsOf(call({ targetSites }))).toEqual(['shop.example:8443', 'pay.example']);
  expect(hostsOf(call({ targetSites, annotations: { readOnlyHint: true, openWorldHint: false } }))).toEqual(
    [],
  );
});

it('a call of a server reaches the addresses among its arguments, as they are edited', () => {
  const asked = call({ serverId: 1, toolName: 'fetch', arguments: '{"url":"https://one.example/a"}' });
  delete asked.reads;
  expect(hostsOf(asked)).toEqual(['one.example']);
  expect(hostsOf({ ...asked, edited: '{"url":"https://two.example"}' })).toEqual(['two.example']);
});

it('a page whose site is not told, or a sandbox, may be another by the next call', () => {
  const untold = call();
  delete untold.reads;
  expect([call(), untold, call({ targetSites: [SANDBOXED] })].map(isInUntold)).toEqual([false, true, true]);
});

it('a site loses only what a call would have done there', () => {
  expect(denied(call(), 'click')).toEqual({ decision: 'deny', never: 'click' });
  expect(denied(call(), 'upload')).toEqual({ decision: 'deny' });
});

it('an Allow for longer than once names the other tools that it holds for', () => {
  expect(alsoAllowed([call()])).not.toContain('click');
  expect(alsoAllowed([call({ serverId: 1, toolName: 'post' })])).toEqual([]);
  expect(reachOf({ readTools: ['list'] })).toEqual({ scope: 'chat', readTools: ['list'] });
});
