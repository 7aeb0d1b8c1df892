import { describe, expect, it } from 'vitest';
import { type CallFacts, verdictOn } from '../../lib/trust/call-verdict.ts';
import { OWN_TOOLS, PAGE_TOOLS } from '../../lib/types/tools/tool-source.ts';
import type { SiteRule } from '../../lib/types/site-rule.ts';

const SITE = 'https://shop.example';
const BEFORE = '2026-01-01T09:00:00.000Z';
const CALLED = '2026-01-01T10:00:00.000Z';
const AFTER = '2026-01-01T09:30:00.000Z';

const tool: CallFacts['tool'] = {
  serverId: 1,
  name: 'save',
  offeredName: 'save',
  enabled: true,
  description: '',
  inputSchema: { type: 'object' },
  annotations: { destructiveHint: false },
  present: true,
};
const reading = { ...tool, annotations: { readOnlyHint: true, openWorldHint: false } };

/** A call of a trusted server's tool that may write, which nothing was decided of. */
const facts: CallFacts = {
  call: { createdAt: CALLED },
  tool,
  fingerprint: 'same',
  server: { trusted: true },
  tiers: { reads: 'allow', writes: 'ask', sends: 'ask', destructive: 'ask' },
  grant: undefined,
  reads: undefined,
  origins: [],
  isForbidden: false,
  isSandboxed: false,
  alwaysAsks: false,
  siteRules: [],
  press: undefined,
  readsOnly: false,
};
const reach = { at: BEFORE, origins: [SITE], withoutOrigin: true };
const grant = {
  conversationId: 'c',
  serverId: 1,
  toolName: 'save',
  fingerprint: 'same',
  given: { ...reach, used: 0 },
};
const knowing = { ...grant, despite: reach };
const ruleOf = (rule: SiteRule['rule'], at = AFTER): SiteRule => ({
  site: SITE,
  kind: 'click',
  rule,
  at,
  used: 0,
});

const ASKED = { permission: 'ask' };
const CHAT = { permission: 'allow', basis: 'chat' };

describe('the verdict on a call', () => {
  it.each<[title: string, more: Partial<CallFacts>, verdict: object]>([
    ['asks where nothing was decided', {}, ASKED],
    ['allows a grant’s call, unless its chat is tainted', { grant }, { ...CHAT, unlessTainted: true }],
    ['allows what was granted in a tainted chat', { grant: knowing }, CHAT],
    [
      'still looks at the taint of what submits',
      { grant: knowing, call: { createdAt: CALLED, submits: true } },
      { ...CHAT, unlessTainted: true },
    ],
    ['allows reading by a trusted server', { tool: reading }, { permission: 'allow', basis: 'tier' }],
    ['asks before reading by another server', { tool: reading, server: { trusted: false } }, ASKED],
    [
      'looks at the taint of what reads a page',
      { tool: reading, reads: SITE },
      { permission: 'allow', basis: 'tier', unlessTainted: true },
    ],
    [
      'blocks on a blocked site, whatever was granted',
      { grant: knowing, isForbidden: true },
      { permission: 'block' },
    ],
    [
      'blocks by a Never of its site, and says by which',
      { grant: knowing, siteRules: [ruleOf('never')] },
      { permission: 'block', never: [ruleOf('never')] },
    ],
    ['asks by an Ask that came after the grant', { grant: knowing, siteRules: [ruleOf('ask')] }, ASKED],
    [
      'allows by a grant that came after the Ask',
      { grant: knowing, siteRules: [ruleOf('ask', '2025')] },
      CHAT,
    ],
    [
      'blocks by the tool’s Block before the grant',
      { grant, tool: { ...tool, permission: 'block' } },
      { permission: 'block' },
    ],
    [
      'blocks a key that presses what may not be clicked',
      { grant: knowing, press: { permission: 'block', never: [ruleOf('never')] } },
      { permission: 'block', never: [ruleOf('never')] },
    ],
    ['asks before a key that presses what is asked about', { grant: knowing, press: ASKED as never }, ASKED],
    ['asks before a download', { grant: knowing, call: { createdAt: CALLED, downloads: true } }, ASKED],
    ['asks in a sandboxed document', { grant: knowing, isSandboxed: true }, ASKED],
    ['asks what asks each time', { grant: knowing, alwaysAsks: true }, ASKED],
    [
      'asks in a schedule that only reads, of what may write',
      { readsOnly: true, tool: { ...tool, permission: 'allow' } },
      ASKED,
    ],
    [
      'allows reading in a schedule that only reads',
      { readsOnly: true, tool: reading },
      { permission: 'allow', basis: 'tier' },
    ],
    [
      'believes no untrusted server there that it reads',
      { readsOnly: true, tool: { ...reading, permission: 'allow' }, server: { trusted: false } },
      ASKED,
    ],
    ['allows there what the user allowed in its chat', { readsOnly: true, grant: knowing }, CHAT],
    [
      'asks of an origin that no grant reaches',
      { grant: knowing, origins: ['https://other.example'] },
      ASKED,
    ],
    ['asks of a definition that no grant was given for', { grant: knowing, fingerprint: 'other' }, ASKED],
    [
      'asks nothing of an action where no script may run, which does nothing',
      { tool: { ...tool, serverId: OWN_TOOLS, name: 'click' } },
      { permission: 'allow' },
    ],
    [
      'asks of a page’s own tool',
      { tool: { ...tool, serverId: PAGE_TOOLS }, reads: SITE, origins: [SITE], server: { trusted: false } },
      ASKED,
    ],
  ])('%s', (_, more, verdict) => {
    expect(verdictOn({ ...facts, ...more })).toEqual(verdict);
  });
});
