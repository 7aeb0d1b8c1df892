import {
  choose,
  click,
  drag,
  type Group,
  press,
  readOther,
  scroll,
  type Step,
  type,
  waitFor,
} from '../case.ts';

/** The page noted this, and nothing else. */
export const done = (what: string): string => `done.join() === ${JSON.stringify(what)}`;

const button = (name: string, more: object = {}) => click('button', name, more);

/** By the reference that it had before something else was done. */
const clickLater =
  (name: string, which: number, before: Step): Step =>
  async (model) => {
    const ref = await model.ref('button', name, which);
    await before(model);
    return model.call('click', { ref });
  };

export const buttons: Group = {
  group: 'buttons',
  cases: [
    { name: 'plain', page: 'buttons', steps: [button('Save')], check: done('save'), isQuick: true },
    { name: 'double click', page: 'buttons', steps: [button('Twice', { count: 2 })], check: done('twice') },
    {
      name: 'right button',
      page: 'buttons',
      steps: [button('Right', { button: 'right' })],
      check: done('menu'),
    },
    {
      name: 'middle button',
      page: 'buttons',
      steps: [button('Middle', { button: 'middle' })],
      check: done('middle'),
    },
    { name: 'pointer events alone', page: 'buttons', steps: [button('Pointer')], check: done('pointer') },
    { name: 'a div with the role', page: 'buttons', steps: [button('Division')], check: done('div') },
    {
      name: 'a cell, twice',
      page: 'buttons',
      steps: [click('cell', 'Nail', { count: 2 })],
      check: done('cell'),
    },
    { name: 'a canvas', page: 'buttons', steps: [click('img', 'Drawing')], check: done('canvas') },
    {
      name: 'a span with a listener',
      page: 'buttons',
      steps: [click('generic', 'Span')],
      check: done('span'),
    },
    {
      name: 'a link whose address is a script',
      page: 'buttons',
      steps: [click('link', 'Script')],
      check: done('script'),
      isQuick: true,
    },
    {
      name: 'a link whose address is a script, for a new tab',
      page: 'buttons',
      steps: [click('link', 'Listened to')],
      check: done('listened'),
      isQuick: true,
    },
    {
      name: 'such a link, that nothing listens to',
      page: 'buttons',
      steps: [click('link', 'Script in a new tab')],
      check: done('script'),
      expected: 'honest failure',
      isQuick: true,
    },
    {
      name: 'Enter on a link',
      page: 'buttons',
      steps: [press('Enter', 'link', 'Noted')],
      check: done('noted'),
    },
    {
      name: 'a link whose script sends a form',
      page: 'buttons',
      steps: [click('link', 'Post back')],
      check: `location.pathname === '/arrived'`,
    },
    { name: 'an icon', page: 'buttons', steps: [button('Close')], check: done('icon') },
    {
      name: 'disabled',
      page: 'buttons',
      steps: [button('Sold out')],
      check: done('sold'),
      expected: 'honest failure',
    },
    {
      name: 'in details',
      page: 'buttons',
      steps: [button('More'), button('Hidden before')],
      check: done('more'),
    },
    { name: 'a switch', page: 'buttons', steps: [click('switch', 'Dark')], check: done('switch') },
    {
      name: 'the second of two alike',
      page: 'buttons',
      steps: [click('button', 'Delete', {}, 1)],
      check: done('sloop'),
    },
    {
      name: 'a box whose label is all that shows',
      page: 'buttons',
      steps: [click('checkbox', 'Styled box')],
      check: done('styled true'),
    },
    { name: 'far below', page: 'buttons', steps: [button('Far')], check: done('far') },
    {
      name: 'in a tab behind',
      page: 'buttons',
      steps: [button('Save')],
      check: done('save'),
      user: 'in another tab',
    },
  ],
};

export const overlays: Group = {
  group: 'overlays and motion',
  cases: [
    {
      name: 'glass that lets presses through',
      page: 'overlays',
      steps: [button('Under glass')],
      check: done('glass'),
    },
    { name: 'half covered', page: 'overlays', steps: [button('Half covered')], check: done('half') },
    {
      name: 'below a sticky header and footer',
      page: 'overlays',
      steps: [button('Below the header')],
      check: done('below'),
    },
    { name: 'shakes for ever', page: 'overlays', steps: [button('Shaking')], check: done('shakes') },
    {
      name: 'slides in',
      page: 'overlays',
      steps: [button('Slide in'), button('Sliding')],
      check: done('sliding'),
    },
    {
      name: 'a modal dialog',
      page: 'overlays',
      steps: [button('Open modal'), type('textbox', 'Reason', 'tide'), button('Confirm')],
      check: done('modal tide'),
    },
    {
      name: 'a popover',
      page: 'overlays',
      steps: [button('Open popover'), button('In popover')],
      check: done('popover'),
    },
    {
      name: 'a banner, closed first',
      page: 'overlays',
      steps: [button('Show banner'), button('Accept'), button('Under banner')],
      check: done('accepted,under'),
    },
    {
      name: 'covered by a banner',
      page: 'overlays',
      steps: [button('Show banner'), button('Under banner')],
      check: done('under'),
      expected: 'honest failure',
      isQuick: true,
    },
    {
      name: 'behind a modal dialog',
      page: 'overlays',
      steps: [button('Open modal'), button('Under glass')],
      check: done('glass'),
      expected: 'honest failure',
    },
    {
      name: 'after a spinner',
      page: 'overlays',
      steps: [button('Load'), waitFor({ text: 'Loaded' }), button('Loaded')],
      check: done('loaded'),
    },
  ],
};

export const rerendered: Group = {
  group: 'drawn anew',
  cases: [
    {
      name: 'at each press',
      page: 'rerender',
      steps: [button('Anew at press')],
      check: done('press'),
      isQuick: true,
    },
    { name: 'at focus', page: 'rerender', steps: [button('Anew at focus')], check: done('focus') },
    { name: 'under the pointer', page: 'rerender', steps: [button('Anew at hover')], check: done('hover') },
    {
      name: 'a field at focus',
      page: 'rerender',
      steps: [click('textbox', 'City'), type('textbox', 'City', 'Leith')],
      check: `value === 'Leith'`,
    },
    {
      name: 'a list at each choice',
      page: 'rerender',
      steps: [button('Brig'), button('Yawl')],
      check: done('Brig,Yawl'),
    },
    { name: 'many times a second', page: 'rerender', steps: [button('Ticking')], check: done('clock') },
    {
      name: 'as it was',
      page: 'drawn-alike',
      steps: [button('Trusted')],
      check: done('trusted'),
      expected: 'honest failure',
    },
    {
      name: 'as it was, after a drop',
      page: 'drawn-alike',
      steps: [drag(['listitem', 'Hull'], ['listitem', 'Mast'])],
      check: `doing.textContent === 'MastHull' && new Promise((tell) => setTimeout(() => tell(doing.textContent === 'MastHull'), 700))`,
      expected: 'honest failure',
    },
    {
      name: 'with the list around it, between snapshot and click',
      page: 'drawn-alike',
      steps: [clickLater('Brig', 0, button('Draw ships'))],
      check: done('brig'),
      isQuick: true,
    },
    {
      name: 'the row of another, between snapshot and click',
      page: 'drawn-alike',
      steps: [clickLater('Remove', 1, button('Remove'))],
      check: done('Ann,Bob'),
      expected: 'honest failure',
      isQuick: true,
    },
    {
      name: 'the row of another, then looked at',
      page: 'drawn-alike',
      steps: [button('Remove'), click('button', 'Remove', {}, 1)],
      check: done('Ann,Cyd'),
    },
  ],
};

/** What the page shows of a key only as it is drawn next, or takes back at once. */
export const drawnLate: Group = {
  group: 'drawn late',
  cases: [
    {
      name: 'a field that completes words',
      page: 'drawn-late',
      steps: [type('combobox', 'Ship', 'Sloop')],
      check: `ship.value === 'Sloop'`,
      isQuick: true,
    },
    {
      name: 'a number that can’t be emptied',
      page: 'drawn-late',
      steps: [type('spinbutton', 'Count', '7', { clear: true })],
      check: `count.value === '7'`,
    },
    {
      name: 'a slider, in a tab that is behind',
      page: 'drawn-late',
      steps: [async ({ call, ref }) => call('set_slider', { ref: await ref('slider', 'Size'), value: 7 })],
      check: `size.ariaValueNow === '7'`,
      needs: 'set_slider',
      user: 'in another tab',
      isQuick: true,
    },
    {
      name: 'a slider whose steps come 500 ms after the keys',
      page: 'drawn-late',
      steps: [async ({ call, ref }) => call('set_slider', { ref: await ref('slider', 'Volume'), value: 5 })],
      check: `volume.ariaValueNow === '5'`,
      needs: 'set_slider',
    },
    {
      name: 'a list that comes 1,200 ms after it is opened',
      page: 'drawn-late',
      steps: [choose('combobox', 'Port', 'Bergen')],
      check: `port.textContent === 'Bergen'`,
    },
    {
      name: 'what loads long, in a tab that is behind',
      page: 'drawn-late',
      steps: [button('Load'), waitFor({ text: 'Done: loaded', seconds: 20 })],
      check: done('loaded'),
      user: 'in another tab',
    },
  ],
};

/** Presses the button of the one of two alike frames that has this title. */
const pressTwin =
  (title: string): Step =>
  async ({ call, find }) => {
    const ref = await find(title, (seen) => {
      const [, number] = new RegExp(`iframe "${title}".* (\\[frame=[\\d.]+\\])`).exec(seen) ?? [];
      return /button "Press twin" \[ref=(\w+)\]/.exec(seen.split(`${number}:\n`)[1] ?? '')?.[1];
    });
    return call('click', { ref });
  };

export const frames: Group = {
  group: 'frames',
  cases: [
    { name: 'of the same origin', page: 'frames', steps: [button('Press own')], check: done('press own') },
    {
      name: 'of another origin',
      page: 'frames',
      steps: [readOther, button('Press other')],
      check: done('press other'),
      isQuick: true,
    },
    {
      name: 'a field of another origin',
      page: 'frames',
      steps: [readOther, type('textbox', 'Name other', 'Ada')],
      check: done('name other Ada'),
    },
    {
      name: 'one or the other of two that are alike',
      page: 'frames',
      steps: [readOther, pressTwin('Second twin'), pressTwin('First twin')],
      check: `done.join() === 'press twin second,press twin first'`,
      isQuick: true,
    },
    {
      name: 'far down in one of another origin',
      page: 'frames',
      steps: [readOther, button('Far other')],
      check: done('far other'),
    },
    {
      name: 'scaled, of another origin',
      page: 'frames',
      steps: [readOther, button('Press scaled')],
      check: done('press scaled'),
    },
    {
      name: 'covered, of another origin',
      page: 'frames',
      steps: [readOther, button('Cover'), button('Press nested')],
      check: done('press nested'),
      expected: 'honest failure',
      isQuick: true,
    },
    {
      name: 'covered, of another origin, and uncovered',
      page: 'frames',
      steps: [readOther, button('Cover'), button('Accept'), button('Press nested')],
      check: done('press nested'),
    },
    {
      name: 'nested in one of another origin',
      page: 'frames',
      steps: [readOther, button('Press nested')],
      check: done('press nested'),
    },
    {
      name: 'a field nested in one of another origin',
      page: 'frames',
      steps: [readOther, type('textbox', 'Name nested', 'Ada')],
      check: done('name nested Ada'),
    },
    {
      name: 'in a closed shadow tree',
      page: 'frames',
      steps: [button('Press shadow')],
      check: done('press shadow'),
    },
    { name: 'made of srcdoc', page: 'frames', steps: [button('Srcdoc')], check: done('srcdoc') },
    { name: 'in a sandbox', page: 'frames', steps: [button('Press sandbox')], check: done('press sandbox') },
    {
      name: 'contenteditable',
      page: 'frames',
      steps: [type('textbox', 'Letter', 'Dear keeper', { clear: true })],
      check: `document.getElementById('editor').contentDocument.body.textContent === 'Dear keeper'`,
    },
  ],
};

export const shadowTrees: Group = {
  group: 'shadow trees',
  cases: [
    { name: 'named by a slot', page: 'shadow', steps: [button('Slotted words')], check: done('slot') },
    { name: 'closed', page: 'shadow', steps: [button('Closed')], check: done('closed'), isQuick: true },
    {
      name: 'closed, of an element of HTML',
      page: 'shadow',
      steps: [button('Plain')],
      check: done('plain'),
      isQuick: true,
    },
    { name: 'closed, nested', page: 'shadow', steps: [button('Leaf')], check: done('leaf true') },
    {
      name: 'a field in a closed one',
      page: 'shadow',
      steps: [type('textbox', 'Closed name', 'Ada')],
      check: `closedName === 'Ada'`,
    },
    {
      name: 'a list in a closed one',
      page: 'shadow',
      steps: [choose('combobox', 'Closed plan', 'Pro')],
      check: `closedPlan === 'Pro'`,
    },
    {
      name: 'contenteditable',
      page: 'shadow',
      steps: [type('textbox', 'Shadow letter', 'Ahoy')],
      check: `shadowLetter === 'Ahoy'`,
    },
    { name: 'a box', page: 'shadow', steps: [click('checkbox', 'Agree')], check: 'agreed === true' },
  ],
};

const far = 'Ship 500';
export const lists: Group = {
  group: 'lists and scrolling',
  cases: [
    {
      name: 'a row of a virtual list',
      page: 'lists',
      steps: [scroll({ direction: 'down', amount: 19_960 }, 'listbox', 'Ships'), click('option', far)],
      check: done(far),
      isQuick: true,
    },
    {
      name: 'a table that is sorted',
      page: 'drawn-back',
      steps: [
        async (model) => {
          const said = String(await click('button', 'Price')(model));
          if (!said.includes('In another order now:')) throw new Error(said);
        },
      ],
      check: `prices.textContent.replaceAll(/\\s/g, '') === '39'`,
      isQuick: true,
    },
    {
      name: 'back up in a virtual list',
      page: 'lists',
      steps: [
        scroll({ direction: 'down', amount: 9_000 }, 'listbox', 'Ships'),
        scroll({ direction: 'up', amount: 9_000 }, 'listbox', 'Ships'),
        click('option', 'Ship 0'),
      ],
      check: done('Ship 0'),
    },
    {
      name: 'a feed that loads more',
      page: 'lists',
      steps: [scroll({ direction: 'down', amount: 400 }, 'feed', 'Feed'), click('button', 'Like 12')],
      check: done('like 12'),
    },
    {
      name: 'a carousel',
      page: 'lists',
      steps: [scroll({ direction: 'right', amount: 900 }, 'group', 'Cards')],
      check: `row.scrollLeft > 600`,
    },
    { name: 'a card far right', page: 'lists', steps: [click('button', 'Card 11')], check: done('card 11') },
    {
      name: 'the end of the page',
      page: 'lists',
      steps: [scroll({ direction: 'down', amount: 5_000 })],
      check: done('end'),
      expectedBehind: 'honest failure',
    },
    {
      name: 'with keys',
      page: 'lists',
      steps: [press('End', 'listbox', 'Ships')],
      check: `virtual.scrollTop > 30000`,
      expected: 'honest failure',
    },
  ],
};
