import { click, fill, type Group, press, type } from '../case.ts';

const holds = (editor: string, text: string): string => `held.${editor}() === ${JSON.stringify(text)}`;

const names = { quill: 'Quill', lexical: 'Lexical', tiptap: 'TipTap', codemirror: 'CodeMirror' };

/** Of the three that are no editors of code. */
const rich = Object.entries(names).slice(0, 3);

export const editors: Group = {
  group: 'editors',
  cases: [
    ...rich.map(([id, name]) => ({
      name: `${name}: a line`,
      page: 'editors',
      steps: [type('textbox', name, 'Ahoy there', { clear: true })],
      check: holds(id, 'Ahoy there'),
      isQuick: true as const,
    })),
    ...rich.map(([id, name]) => ({
      name: `${name}: added at the end`,
      page: 'editors',
      steps: [type('textbox', name, 'One', { clear: true }), type('textbox', name, ' two')],
      check: holds(id, 'One two'),
    })),
    ...rich.map(([id, name]) => ({
      name: `${name}: filled`,
      page: 'editors',
      steps: [fill(['textbox', name, 'Ahoy'])],
      check: holds(id, 'Ahoy'),
    })),
    {
      name: 'Quill: two lines',
      page: 'editors',
      steps: [type('textbox', 'Quill', 'one\ntwo')],
      check: holds('quill', 'one\ntwo'),
    },
    {
      name: 'Lexical: two lines',
      page: 'editors',
      steps: [type('textbox', 'Lexical', 'one\ntwo')],
      check: holds('lexical', 'one\ntwo'),
    },
    {
      name: 'TipTap: two lines',
      page: 'editors',
      steps: [type('textbox', 'TipTap', 'one\ntwo', { clear: true })],
      check: holds('tiptap', 'one\ntwo'),
    },
    {
      name: 'TipTap: long',
      page: 'editors',
      steps: [type('textbox', 'TipTap', 'word '.repeat(60).trim(), { clear: true })],
      check: holds('tiptap', 'word '.repeat(60).trim()),
    },
    {
      name: 'TipTap: a command',
      page: 'editors',
      steps: [click('button', 'Bold in TipTap')],
      check: `held.tiptapHtml().includes('<strong>')`,
    },
    {
      name: 'TipTap: a mark of Markdown',
      page: 'editors',
      steps: [type('textbox', 'TipTap', '# Tide', { clear: true })],
      check: `held.tiptapHtml().startsWith('<h1>Tide')`,
    },
    {
      name: 'Quill: all in bold',
      page: 'editors',
      steps: [
        type('textbox', 'Quill', 'Tide'),
        press('Control+a', 'textbox', 'Quill'),
        click('button', 'bold'),
      ],
      check: `document.querySelector('#quill strong')?.textContent === 'Tide'`,
    },
    {
      name: 'CodeMirror: replaced',
      page: 'editors',
      steps: [type('textbox', 'CodeMirror', 'let b = 2;', { clear: true })],
      check: holds('codemirror', 'let b = 2;'),
    },
    {
      name: 'CodeMirror: a line more',
      page: 'editors',
      steps: [type('textbox', 'CodeMirror', '\nlet b = 2;')],
      check: holds('codemirror', 'let a = 1;\nlet b = 2;'),
    },
    {
      name: 'CodeMirror: back',
      page: 'editors',
      steps: [click('textbox', 'CodeMirror'), press('Control+End'), press('Backspace')],
      check: holds('codemirror', 'let a = 1'),
    },
    {
      name: 'Monaco: a line',
      page: 'monaco',
      steps: [type('textbox', 'Monaco', 'let b = 2;', { clear: true })],
      check: `held() === 'let b = 2;'`,
    },
    {
      name: 'Monaco: two lines',
      page: 'monaco',
      steps: [type('textbox', 'Monaco', 'one\ntwo', { clear: true })],
      check: `held() === 'one\\ntwo'`,
    },
    {
      name: 'Monaco: added at the end',
      page: 'monaco',
      steps: [type('textbox', 'Monaco', ' // b')],
      check: `held() === 'let a = 1; // b'`,
    },
    {
      name: 'Monaco: a key',
      page: 'monaco',
      steps: [press('Control+End', 'textbox', 'Monaco'), press('Backspace')],
      check: `held() === 'let a = 1'`,
    },
  ],
};
