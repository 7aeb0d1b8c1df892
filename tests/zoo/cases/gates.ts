import {
  type Case,
  choose,
  click,
  drag,
  fill,
  type Group,
  hover,
  press,
  readOther,
  type Step,
  type,
  waitFor,
} from '../case.ts';
import { done } from './pages.ts';

/** What only a user's own press or key does. */
const beyond = (name: string, step: Step, what: string): Case => ({
  name,
  page: 'gates',
  steps: [step],
  check: what.startsWith('(') ? what : done(what),
  expected: 'honest failure',
});

/** Sent once, into a tab behind the user's. */
const sentBehind = (name: string, step: Step): Case => ({
  name: `${name}, to a new tab`,
  page: 'gates',
  steps: [step],
  check: done('opened'),
});

export const gates: Group = {
  group: 'what only a user may do',
  cases: [
    { ...beyond('a click that has to be trusted', click('button', 'Trusted click'), 'click'), isQuick: true },
    {
      name: 'a field that takes trusted input alone',
      page: 'gates',
      steps: [type('textbox', 'Trusted field', 'x')],
      check: done('input x'),
    },
    beyond('a field that takes trusted keys alone', type('textbox', 'Trusted key', 'x'), 'key'),
    beyond('a button that wants activation', click('button', 'Wants activation'), 'active'),
    beyond('the clipboard', click('button', 'Copy'), 'copied'),
    beyond('full screen', click('button', 'Full screen'), 'full'),
    {
      name: 'a new tab of the page’s site, behind it',
      page: 'gates',
      steps: [click('link', 'New tab')],
      check: done('opened'),
      isQuick: true,
    },
    beyond('a new tab of another site', click('link', 'New tab elsewhere'), 'opened'),
    { ...sentBehind('a form', click('button', 'Search in a new tab')), isQuick: true },
    sentBehind('Enter in a form', type('textbox', 'Word', 'tide', { submit: true })),
    { ...sentBehind('a form that is posted', click('button', 'Order in a new tab')), isQuick: true },
    {
      ...sentBehind('a form that is posted, in a tab behind', click('button', 'Order in a new tab')),
      user: 'in another tab',
      isQuick: true,
    },
    sentBehind('a form in a shadow tree', click('button', 'Search in a shadow tree')),
    sentBehind('a form in a shadow tree that is posted', click('button', 'Order in a shadow tree')),
    beyond('a picker of files', click('textbox', 'File'), 'file'),
    beyond('a picker of colours', click('textbox', 'Colour'), 'colour'),
    beyond('a picker of days', click('button', 'Pick a day'), 'day'),
    beyond('a browser’s own list', click('combobox', 'Plan'), 'plan'),
    beyond('a permission of the browser’s', click('button', 'Notify'), 'told'),
    beyond(
      'a menu that a style shows',
      hover('button', 'Style menu'),
      '(document.querySelector("#hover + div").checkVisibility())',
    ),
    {
      name: 'the browser’s own list, chosen instead',
      page: 'gates',
      steps: [choose('combobox', 'Plan', 'Pro')],
      check: done('plan'),
    },
    {
      name: 'a colour, filled instead',
      page: 'gates',
      steps: [fill(['textbox', 'Colour', '#00ff00'])],
      check: done('colour'),
    },
    {
      name: 'a menu that a script shows',
      page: 'gates',
      steps: [hover('button', 'Script menu'), click('button', 'Scripted item')],
      check: done('scripted'),
    },
    {
      name: 'a menu that closes as the pointer leaves it',
      page: 'gates',
      steps: [hover('button', 'Script menu'), hover('button', 'Other menu'), click('button', 'Other menu')],
      check: done('closed'),
      isQuick: true,
    },
    {
      name: 'a menu at focus',
      page: 'gates',
      steps: [click('button', 'Focus menu'), click('button', 'Focused item')],
      check: done('focused'),
    },
  ],
};

/** A page that undoes what was done, or leads nowhere: no tool calls that done. */
const undone = (name: string, step: Step, check: string): Case => ({
  ...beyond(name, step, `(${check})`),
  page: 'taken-back',
});

const ignored = click('button', 'Ignored');

/** The result leaves no doubt. */
const outright =
  (step: Step): Step =>
  async (model) => {
    const said = String(await step(model));
    if (/by itself/.test(said)) throw new Error(said);
  };

const holdsLeith = (id: string): string => `${id}.textContent === 'Leith'`;

const drawnBack: [what: string, step: Step, check: string][] = [
  ['a field', type('textbox', 'Name', 'Anna'), `part('name').value === 'Anna'`],
  ['a form', fill(['textbox', 'Name', 'Anna'], ['slider', 'Loud', '70']), `part('loud').value === '70'`],
  [
    'a box',
    async ({ call, ref }) => call('set_checked', { ref: await ref('checkbox', 'News'), checked: true }),
    `part('news').checked`,
  ],
  [
    'a switch',
    async ({ call, ref }) => call('set_checked', { ref: await ref('switch', 'Push'), checked: true }),
    `part('push').ariaChecked === 'true'`,
  ],
  ['a list', choose('combobox', 'Size', 'Large'), `part('size').value === 'Large'`],
];

export const takenBack: Group = {
  group: 'what a page takes back',
  cases: [
    { ...undone('what is typed', type('textbox', 'Late', 'abc'), `late.value !== ''`), isQuick: true },
    undone('what is filled', fill(['textbox', 'Late', 'abc']), `late.value !== ''`),
    undone(
      'a box',
      async ({ call, ref }) => call('set_checked', { ref: await ref('checkbox', 'Box'), checked: true }),
      `box.checked`,
    ),
    {
      ...undone('a number beyond a limit', type('textbox', 'Seats', '99'), `seats.value === '99'`),
      isQuick: true,
    },
    {
      ...undone('a number that is in another', type('textbox', 'Crates', '2'), `crates.value === '2'`),
      isQuick: true,
    },
    undone('a number that becomes a part', fill(['textbox', 'Rate', '5']), `rate.value === '5'`),
    undone('a word that is written twice', fill(['textbox', 'Nick', 'Tide']), `nick.value === 'Tide'`),
    undone(
      'a box that does not say what it is',
      async ({ call, ref }) => call('set_checked', { ref: await ref('checkbox', 'Silent'), checked: false }),
      `silent.className === ''`,
    ),
    undone(
      'a slider',
      async ({ call, ref }) => call('set_slider', { ref: await ref('slider', 'Volume'), value: 5 }),
      `volume.ariaValueNow === '5'`,
    ),
    undone('an option', choose('combobox', 'Plan', 'Pro'), `plan.value === 'Pro'`),
    {
      ...undone('an option that a script gates', choose('combobox', 'Port', 'Leith'), holdsLeith('port')),
      isQuick: true,
    },
    undone('an option that is refused', choose('combobox', 'Quay', 'Leith'), holdsLeith('quay')),
    undone('an option that is filled in', fill(['combobox', 'Quay', 'Leith']), holdsLeith('quay')),
    undone(
      'an option that is let go a while later',
      choose('combobox', 'Berth', 'Leith'),
      holdsLeith('berth'),
    ),
    undone(
      'an option that gives way to another',
      choose('listbox', 'Paint', 'Blue'),
      `paint.children[2].ariaSelected === 'true'`,
    ),
    {
      name: 'an option of a list that says what is chosen',
      page: 'taken-back',
      steps: [choose('listbox', 'Paint', 'Green')],
      check: `paint.children[1].ariaSelected === 'true'`,
    },
    undone(
      'two options where one can be',
      choose('listbox', 'Paint', 'Green', 'Blue'),
      `document.querySelectorAll('#paint [aria-selected=true]').length === 2`,
    ),
    {
      ...undone('Enter that is ignored', type('textbox', 'Chat', 'Tide', { submit: true }), done('sent')),
      isQuick: true,
    },
    undone('an option of a disabled group', choose('combobox', 'Plan', 'Gold'), `plan.value === 'Gold'`),
    { ...undone('a link to where nothing is', click('link', 'Dead link'), 'false'), isQuick: true },
    undone(
      'an address where nothing is',
      ({ call }) => call('navigate', { url: 'http://127.0.0.1:1/dead' }),
      'false',
    ),
    {
      ...undone('what the scroll there brought', ignored, 'done.length > 0'),
      page: 'scrolled',
      isQuick: true,
    },
    {
      name: 'what a click brought, and not the scroll there',
      page: 'scrolled',
      steps: [
        async (model) => {
          const said = String(await click('button', 'Anchor')(model));
          if (!said.includes('Anchored') || /Sloop|Back to top/.test(said)) throw new Error(said);
        },
      ],
      check: `answer.textContent === 'Anchored'`,
    },
    { ...undone('a line of the page’s own', ignored, 'done.length > 0'), page: 'feed', isQuick: true },
    {
      ...undone('such lines, twice', ignored, 'done.length > 0'),
      page: 'feed',
      steps: [ignored, ignored],
    },
    {
      ...undone('such lines, once one was seen', ignored, 'done.length > 0'),
      page: 'feed',
      steps: [waitFor({ text: 'brig at the quay' }), ignored],
    },
    {
      name: 'an entry of a list, beside such lines',
      page: 'feed',
      steps: [outright(click('button', 'Add to the list'))],
      check: 'basket.children.length === 3',
      isQuick: true,
    },
    {
      name: 'an entry among such lines',
      page: 'feed',
      steps: [click('button', 'Say it')],
      check: `wall.textContent.includes('Anchors')`,
    },
    {
      name: 'a message among such lines',
      page: 'feed',
      steps: [
        waitFor({ text: 'barque at the quay' }),
        outright(type('textbox', 'Message', 'Anchors aweigh', { submit: true })),
      ],
      check: `wall.textContent.includes('Ada: Anchors')`,
    },
    ...drawnBack.map(([what, step, check]) => ({
      ...undone(`${what} that is drawn anew as it was`, step, check),
      page: 'drawn-back',
      ...(what === 'a field' && { isQuick: true as const }),
    })),
    // At that moment, whatever is done.
    ...['boats come', 'ports come', 'offers turn', 'an upload goes on'].map((what) => ({
      ...undone(`as ${what} by itself`, click('button', `Ignored as ${what}`), 'done.length > 0'),
      page: 'by-itself',
    })),
    {
      ...undone('as news turn again by themselves', ignored, 'done.length > 0'),
      page: 'turns',
      steps: [waitFor({ text: 'Half tide' }), ignored],
    },
    {
      name: 'what a click brought, beside parts that load',
      page: 'by-itself',
      steps: [outright(click('button', 'Anchor'))],
      check: `answer.textContent === 'Anchored'`,
    },
    {
      ...undone(
        'Enter before a list came',
        type('combobox', 'City', 'Edinburgh', { submit: true }),
        done('chosen'),
      ),
      page: 'late-list',
    },
    {
      name: 'Enter once the list is there',
      page: 'late-list',
      steps: [type('combobox', 'City', 'Edinburgh'), outright(press('Enter', 'combobox', 'City'))],
      check: done('chosen'),
    },
    {
      ...undone(
        'what the scroll to a frame brought',
        click('button', 'Ignored at 127.0.0.1'),
        'done.length > 0',
      ),
      page: 'scrolled-frame',
    },
    {
      ...undone('what the scroll to a frame of another site brought', readOther, 'done.length > 0'),
      page: 'scrolled-frame',
      steps: [readOther, click('button', 'Ignored at localhost')],
    },
    ...['boats', 'ports'].map((what) => ({
      ...undone(
        `what the scroll there brings of ${what} later`,
        click('button', `Ignored above ${what}`),
        'done.length > 0',
      ),
      page: 'scrolled-late',
    })),
    ...['e3', 'link', '/shipping', 'Shipped', 'ref'].map((text) => ({
      ...undone(`waiting for ${text}, which only marks say`, waitFor({ text, seconds: 1 }), 'false'),
      page: 'words',
    })),
    {
      name: 'waiting for words',
      page: 'words',
      steps: [
        ...['Boats sold: 7', 'Open', 'Away', 'State', 'Paid by "Ada"'].map((text) => waitFor({ text })),
        waitFor({ gone: 'e3' }),
      ],
      check: 'true',
    },
    undone('nothing to wait for', ({ call }) => call('wait_for', {}), 'false'),
    {
      name: 'options in place of those that were chosen',
      page: 'taken-back',
      steps: [choose('listbox', 'Tags', 'Red', 'Blue')],
      check: `[...tags.children].map((each) => each.ariaSelected).join() === 'true,false,true'`,
      isQuick: true,
    },
  ],
};

export const travel: Group = {
  group: 'from page to page',
  cases: [
    {
      name: 'a link',
      page: 'travel',
      steps: [click('link', 'A page'), click('button', 'Here')],
      check: done('arrived'),
      isQuick: true,
    },
    {
      name: 'an anchor',
      page: 'travel',
      steps: [click('link', 'An anchor')],
      check: `location.hash === '#north'`,
    },
    {
      name: 'an address of the app’s own',
      page: 'travel',
      steps: [click('link', 'In the app'), waitFor({ url: '/app/ships' })],
      check: `shown.textContent === 'Ships'`,
    },
    {
      name: 'a form that is sent',
      page: 'travel',
      steps: [type('textbox', 'Search', 'tide', { submit: true }), click('button', 'Here')],
      check: `location.search === '?q=tide' && ${done('arrived')}`,
    },
    {
      name: 'late',
      page: 'travel',
      steps: [click('button', 'Late'), waitFor({ text: 'Arrived' }), click('button', 'Here')],
      check: `location.search === '?late' && ${done('arrived')}`,
    },
    {
      name: 'slowly',
      page: 'travel',
      steps: [click('button', 'Slowly'), waitFor({ text: 'Ready' })],
      check: `shown.textContent === 'Ready'`,
    },
    {
      name: 'there and back',
      page: 'travel',
      steps: [
        click('link', 'A page'),
        ({ call }) => call('go_back'),
        ({ call }) => call('wait_for', { text: 'Travel' }),
      ],
      check: `document.querySelector('h1').textContent === 'Travel'`,
    },
    {
      name: 'forward',
      page: 'travel',
      steps: [click('link', 'A page'), ({ call }) => call('go_back'), ({ call }) => call('go_forward')],
      check: `location.pathname === '/arrived'`,
    },
    {
      name: 'an address',
      page: 'travel',
      steps: [({ call, site }) => call('navigate', { url: `${site}/arrived` }), click('button', 'Here')],
      check: done('arrived'),
    },
    {
      name: 'another site',
      page: 'travel',
      steps: [click('link', 'Another site'), click('button', 'Here')],
      check: `location.hostname === 'localhost' && ${done('arrived')}`,
    },
    {
      name: 'anew',
      page: 'travel',
      steps: [({ call }) => call('reload'), click('button', 'Guard')],
      check: done('guarded'),
    },
  ],
};

const dragged = (
  name: string,
  from: [string, string],
  to: [string, string],
  check: string,
  page = 'boards',
): Case => ({
  name,
  page,
  steps: [drag(from, to)],
  check,
  needs: 'drag',
});

/** They run where Portside has the tools. */
export const later: Group = {
  group: 'dragging, sliders, boxes',
  cases: [
    dragged(
      'a card of a board (HTML5)',
      ['button', 'Paint hull'],
      ['region', 'Doing'],
      `doing.contains(document.querySelector('.card'))`,
    ),
    dragged('a knob (pointer events)', ['button', 'Knob'], ['button', 'Goal'], done('goal')),
    dragged('SortableJS', ['listitem', 'Brig'], ['listitem', 'Yawl'], `order() === 'Sloop,Yawl,Brig'`),
    dragged('jQuery UI: onto a target', ['button', 'Card'], ['group', 'Hold'], done('dropped'), 'jquery-ui'),
    {
      name: 'a slider of the page’s making',
      page: 'keys',
      steps: [async ({ call, ref }) => call('set_slider', { ref: await ref('slider', 'Volume'), value: 8 })],
      check: `slider.ariaValueNow === '8'`,
      needs: 'set_slider',
    },
    {
      name: 'a native slider',
      page: 'forms',
      steps: [async ({ call, ref }) => call('set_slider', { ref: await ref('slider', 'Size'), value: 7 })],
      check: `form.size.value === '7'`,
      needs: 'set_slider',
    },
    {
      name: 'Material’s slider',
      page: 'material',
      steps: [async ({ call, ref }) => call('set_slider', { ref: await ref('slider', 'Size'), value: 7 })],
      check: `by('size').value === 7`,
      needs: 'set_slider',
    },
    {
      name: 'UI5’s slider',
      page: 'ui5',
      steps: [async ({ call, ref }) => call('set_slider', { ref: await ref('slider', /Size/), value: 7 })],
      check: `by('size').value === 7`,
      expectedBehind: 'honest failure', // it waits for a frame that it asked for before
      needs: 'set_slider',
    },
    {
      name: 'a box',
      page: 'forms',
      steps: [
        async ({ call, ref }) => call('set_checked', { ref: await ref('checkbox', 'Gift'), checked: true }),
      ],
      check: `form.gift.checked`,
      needs: 'set_checked',
    },
    {
      name: 'Material’s box',
      page: 'material',
      steps: [
        async ({ call, ref }) => call('set_checked', { ref: await ref('checkbox', 'Gift'), checked: true }),
      ],
      check: `by('gift').checked`,
      needs: 'set_checked',
    },
  ],
};

/** Gives a page what a tool told of it. */
const upload =
  (role: string, name: string): Step =>
  async ({ call, ref }) =>
    call('upload_file', { ref: await ref(role, name), files: ['result:snapshot'] });
const uploaded = (name: string, step: Step, check: string): Case => ({
  name,
  page: 'files',
  steps: [step],
  check,
  needs: 'upload_file',
});

export const files: Group = {
  group: 'files',
  cases: [
    {
      ...uploaded('an input behind its label', upload('generic', 'Papers'), done('papers snapshot.txt')),
      isQuick: true,
    },
    uploaded('an input that a button opens', upload('button', 'Choose a file'), done('chosen snapshot.txt')),
    {
      name: 'a press on what makes an input and opens it',
      page: 'files',
      steps: [
        async ({ call, ref }) => {
          const told = await call('click', { ref: await ref('button', 'Make one') });
          if (!told.includes('call upload_file')) throw new Error(told);
        },
      ],
      check: `done.length > 0`,
      expected: 'honest failure',
    },
    uploaded('a zone', upload('group', 'Zone'), done('zone snapshot.txt')),
    uploaded('a zone that is a button', upload('button', 'Crate'), done('crate snapshot.txt')),
    {
      ...uploaded('Dropzone', upload('button', 'Drop files'), `zone.files[0]?.name === 'snapshot.txt'`),
      page: 'boards',
    },
    {
      ...uploaded('files of another kind alone', upload('textbox', 'Contract'), done('contract')),
      expected: 'honest failure',
    },
    {
      ...uploaded('a folder', upload('textbox', 'Folder'), done('folder')),
      expected: 'honest failure',
    },
    {
      ...uploaded('what takes none', upload('group', 'Wall'), 'done.length > 0'),
      expected: 'honest failure',
    },
  ],
};
