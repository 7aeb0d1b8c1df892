import type { Panel } from '../../lib/state/panel.ts';
import { AppError } from '../../lib/errors.ts';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';
import type { ServerPrompt } from '../../lib/protocol/attached.ts';
import type { PagePart, PageTab } from '../../lib/types/page.ts';
import { ago, base, conversation } from './rows.ts';
import type { Script } from './scripted-link.ts';
import { fullSetup, memorySetup, quietSetup } from './setups.ts';
import { t } from '../../locales/texts/errors.ts';

const file = (name: string, mimeType: string, size: number, tokens: number): AttachmentSummary => ({
  id: name,
  title: name,
  source: { type: 'file', name, size },
  mimeType,
  tokens,
});

const ofEachKind: AttachmentSummary[] = [
  file('quarterly report with a long name.pdf', 'application/pdf', 1_240_000, 6200),
  file('letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 48_000, 910),
  file('figures.csv', 'text/csv', 12_400, 3900),
  file('answer.json', 'application/json', 840, 260),
  file('main.ts', 'text/plain', 5300, 1500),
  file('notes.md', 'text/markdown', 900, 240),
  file('page.html', 'text/html', 31_000, 7700),
  {
    id: 'r1',
    title: 'features.md',
    source: { type: 'resource', serverId: 2, serverName: 'Everything', uri: 'demo://features.md' },
    mimeType: 'text/markdown',
    tokens: 900,
  },
];
const promptText: AttachmentSummary = {
  id: 'p1',
  title: 'compare-files',
  source: { type: 'prompt', serverId: 2, serverName: 'Everything', name: 'compare-files', isTyped: true },
  tokens: 0,
};
const picture = file('harbour.jpg', 'image/jpeg', 2_800_000, 1600);

export const ofPage = (part: PagePart, title: string, tokens: number): AttachmentSummary => ({
  id: `${part} ${title}`,
  title,
  source: { type: 'page', part, tabId: 1, url: 'https://lighthouse.example/log?day=22', at: ago(40) },
  ...((part === 'screenshot' || part === 'image') && { mimeType: 'image/jpeg' }),
  tokens,
});
const log = 'The keeper’s log: weather, ships and birds of the year';
const pageParts: AttachmentSummary[] = [
  ofPage('page', log, 9800),
  { ...ofPage('selection', log, 120), beginning: 'Fair weather, two sails at noon, and a brig that…' },
  { ...ofPage('page', 'Tide tables', 2400), share: 0.11 },
  ofPage('transcript', log, 4200),
  ofPage('field', 'Sign up', 40),
  ofPage('link', 'https://lighthouse.example/ships', 20),
  ofPage('screenshot', log, 1600),
  ofPage('image', log, 1600),
];
/** A page as it was read, of which the browser knows whether it is still the same. */
const readPage = (title: string, tabId: number): AttachmentSummary => {
  const page = ofPage('page', title, 2400);
  return { ...page, source: { ...page.source, tabId, print: 'p' } as AttachmentSummary['source'] };
};
const changed = [readPage(log, 1), readPage('Tides, and why the sea comes and goes twice a day', 2)] as const;
const openedTabs: PageTab[] = [
  { id: 1, windowId: 1, active: true, title: log, url: 'https://lighthouse.example/log?day=22' },
  { id: 2, windowId: 1, active: false, title: 'Tide tables', url: 'https://tides.example/' },
  { id: 3, windowId: 1, active: false },
];
const lead = 'The user attached this:';
const cutPage =
  `${lead}\n\n<external title="The keeper’s log" source="The web page https://lighthouse.example/log, ` +
  'as it was at 2026-11-22T10:00:00.000Z">\n# The keeper’s log\n\nFair weather, two sails at noon.\n\n' +
  '[Cut: these are the first 28160 of 91234 characters. Read on with the tool read_more: ' +
  '{"result":"page-1f0c","offset":28160}.\nWhat follows:\n## Ships (offset 28160)\n## Birds (offset 60210)]\n\n' +
  '[Left out: 1420 characters that the page holds and does not show.]\n</external>';
const features =
  `${lead}\n\n<external title="features.md" source="demo://resource/static/document/features.md of the MCP ` +
  'server Everything" type="text/markdown">\n# Features\n\nTools, prompts and resources.\n</external>';
const noAccess = new AppError({
  code: 'no_page_access',
  ...t(($) => $.errors.page.noAccess),
  retryable: true,
});

const prompt = (
  serverId: number,
  serverName: string,
  name: string,
  description: string,
  asks: string[] = [],
): ServerPrompt => ({
  serverId,
  serverName,
  name,
  description,
  arguments: asks.map((each) => ({ name: each, description: '', required: true })),
});
const prompts = [
  prompt(1, 'GitHub', 'issue_to_fix_workflow', 'Create an issue and open a pull request that fixes it', [
    'owner',
    'repo',
    'title',
  ]),
  prompt(1, 'GitHub', 'AssignCodingAgent', 'Find issues suited to a coding agent and assign them', ['repo']),
  prompt(2, 'Everything', 'simple-prompt', 'A prompt without arguments'),
];
const resources = {
  resources: [
    {
      serverId: 2,
      serverName: 'Everything',
      name: 'features.md',
      description: '',
      uri: 'demo://resource/static/document/features.md',
      size: 3200,
    },
  ],
  templates: [
    {
      serverId: 1,
      serverName: 'GitHub',
      name: 'Repository file',
      description: '',
      uriTemplate: 'repo://{owner}/{repo}/contents{/path*}',
    },
  ],
};
const uri = 'skill://code-review/SKILL.md';
const skills = [
  {
    serverId: 1,
    serverName: 'GitHub',
    uri,
    name: 'code-review',
    description: 'How pull requests are reviewed here: what to look at, and how to say it',
    isAllowed: false,
  },
];
const skillWith = (checklist: string) => ({
  name: uri,
  title: 'code-review',
  description: 'How pull requests are reviewed here',
  inputSchema: {},
  annotations: { readOnlyHint: true, openWorldHint: false },
  skill: {
    frontmatter: { name: 'code-review', description: 'How pull requests are reviewed here', license: 'MIT' },
    resources: [
      { uri, size: 2314, digest: `sha256:${'a1b2'.repeat(16)}` },
      { uri: 'skill://code-review/checklist.md', size: 962, digest: `sha256:${checklist.repeat(16)}` },
    ],
  },
});
const listedSkill = {
  ...skillWith('c3d4'),
  fullName: 'skill__1__code-review',
  toolName: uri,
  serverId: 1,
  serverName: 'GitHub',
  fingerprint: 'f',
  review: { now: skillWith('c3d4') },
};
const offering: Script = {
  setup: fullSetup,
  snapshot: { conversation },
  replies: {
    listPrompts: prompts,
    listSkills: skills,
    listTools: [listedSkill],
    listResources: resources,
    previewResource: { text: features, pictures: [], tokens: 40 },
  },
};

const write = (text: string) => (panel: Panel) => {
  panel.type(text);
  panel.menu.look(text, text.length);
};
function chooseSkill(panel: Panel): void {
  write('/')(panel);
  const [offer] = skills;
  if (offer) void panel.menu.choose({ type: 'skill', id: offer.uri, offer });
}
/** One that takes for ever. */
function slow(name: string): File {
  const slice = () => ({ arrayBuffer: () => new Promise(() => undefined) });
  return Object.assign(new File(['text'], name), { slice });
}
function holdFile(): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([''], 'a.txt'));
  window.dispatchEvent(new DragEvent('dragover', { dataTransfer, cancelable: true }));
}
function paste(): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', 'All work and no play. '.repeat(300));
  document
    .querySelector('textarea')
    ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
}

/** What the composer can look like. */
export const composerStates: Record<string, Script> = {
  'files-attached': {
    setup: quietSetup,
    snapshot: { conversation, attachments: [promptText, ...ofEachKind, picture], draft: 'Compare these' },
  },
  'files-reading': {
    setup: quietSetup,
    snapshot: { conversation, attachments: ofEachKind.slice(0, 1) },
    act: (panel) => void panel.attaching.attachFiles([slow('scanned contract.pdf'), slow('figures.csv')]),
  },
  'files-failed': {
    setup: quietSetup,
    snapshot: { conversation, attachments: ofEachKind.slice(1, 2) },
    act: (panel) =>
      void panel.attaching.attachFiles([
        new File([], 'empty.txt'),
        new File(['PK\u0003\u0004'], 'budget.xlsx'),
      ]),
  },
  'files-over-budget': {
    setup: quietSetup,
    snapshot: {
      conversation,
      attachments: [...ofEachKind.slice(0, 2), file('all of it.txt', 'text/plain', 190_000, 47_500)],
    },
  },
  'page-chips': { setup: quietSetup, snapshot: { conversation, attachments: pageParts, draft: 'Compare' } },
  'page-changed': {
    setup: quietSetup,
    snapshot: {
      conversation,
      messages: [
        {
          ...base('u1', 1),
          role: 'user',
          content: 'When is high water?',
          attachments: [{ ...changed[1], text: '' }],
        },
      ],
      attachments: [changed[0], ...pageParts.slice(1, 2)],
    },
    replies: { changedPages: changed.map(({ id }) => id) },
    act: (panel) => void panel.changedPages.look(),
  },
  'memory-chip': {
    setup: memorySetup,
    snapshot: {
      conversation: { ...conversation, project: 'boats' },
      attachments: pageParts.slice(0, 1),
    },
    press: ['.dock .chip > button[aria-haspopup]'],
  },
  'page-chip-preview': {
    setup: quietSetup,
    snapshot: { conversation, attachments: pageParts.slice(0, 1).map((each) => ({ ...each, share: 0.31 })) },
    replies: { previewAttachment: { text: cutPage, pictures: [] } },
    press: ['.dock .chip > button'],
  },
  'page-no-access': {
    setup: quietSetup,
    snapshot: { conversation },
    failures: { attachPage: noAccess },
    act: (panel) => {
      const place = { tabId: 1, url: 'https://lighthouse.example/log' };
      void panel.attaching.attachPage({ ...place, part: 'page', title: 'This page' });
      void panel.attaching.attachPage({ ...place, part: 'screenshot', title: 'Screenshot' });
    },
  },
  'page-no-access-hidden': {
    setup: quietSetup,
    snapshot: { conversation },
    failures: { attachPage: noAccess },
    act: (panel) => void panel.attaching.attachPage({ tabId: 1, part: 'page', title: 'This page' }),
  },
  'page-closed': {
    setup: quietSetup,
    snapshot: { conversation },
    failures: { attachPage: noAccess },
    act: (panel) =>
      void panel.attaching.attachPage({ tabId: 1, url: 'about:blank', part: 'page', title: 'This page' }),
  },
  'opened-tabs': {
    setup: quietSetup,
    snapshot: { conversation, tabs: openedTabs },
    press: ['.opened-tab'],
  },
  'files-dropping': { setup: quietSetup, snapshot: { conversation }, act: holdFile },
  'files-pasted': {
    setup: quietSetup,
    snapshot: { conversation, draft: 'All work and no play. '.repeat(300) },
    act: paste,
  },
  'menu-commands': { ...offering, act: write('/') },
  'menu-commands-filtered': { ...offering, act: write('/re') },
  'menu-skill-new': { ...offering, act: chooseSkill },
  'menu-skill-changed': {
    ...offering,
    replies: {
      ...offering.replies,
      listTools: [{ ...listedSkill, review: { ...listedSkill.review, before: skillWith('e5f6') } }],
    },
    act: chooseSkill,
  },
  'menu-context': { ...offering, act: write('Compare with @') },
  'menu-context-nothing': { ...offering, act: write('Compare with @zzz') },
  'menu-entry-preview': {
    ...offering,
    act: (panel) => {
      write('@')(panel);
      const [resource] = resources.resources;
      if (resource) void panel.menu.preview.show(resource);
    },
  },
  'prompt-variables': {
    ...offering,
    act: (panel) => {
      const [saved] = fullSetup.prompts;
      if (saved) void panel.menu.choose({ type: 'saved', id: 'saved', prompt: saved });
    },
  },
};
