import {
  type Case,
  choose,
  click,
  fill,
  type Group,
  type Model,
  press,
  type Step,
  type,
  waitFor,
} from '../case.ts';
import { done } from './pages.ts';

const field = (name: string, value: string): string => `data('${name}') === ${JSON.stringify(value)}`;

const typed = (role: string, label: string, name: string, value: string, held = value) => ({
  name: label,
  page: 'forms',
  steps: [type(role, label, value)],
  check: field(name, held),
});

const filled = (role: string, label: string, name: string, value: string, held = value) => ({
  name: `${label}, filled`,
  page: 'forms',
  steps: [fill([role, label, value])],
  check: field(name, held),
});

/** A page that holds what it is given in a form of its own, or has options of one name. */
const held = (name: string, step: Step, check: string): Case => ({
  name,
  page: 'own-forms',
  steps: [step],
  check,
});

const checked = (name: string, label: string, isOn: boolean) => ({
  name,
  page: 'forms',
  steps: [
    async ({ call, ref }: Model) => call('set_checked', { ref: await ref('checkbox', label), checked: isOn }),
  ],
});

/** Boxes for the keys and assistive technology alone, whose labels are drawn as them. */
const boxes = (name: string, step: Step, check: string): Case => ({
  name: `a hidden box: ${name}`,
  page: 'hidden-boxes',
  steps: [step],
  check,
});
const checking =
  (role: string, label: string, isOn: boolean): Step =>
  async ({ call, ref }) =>
    call('set_checked', { ref: await ref(role, label), checked: isOn });

export const forms: Group = {
  group: 'forms',
  cases: [
    { ...typed('textbox', 'Name', 'name', 'Ada 🚢'), isQuick: true },
    typed('textbox', 'Mail', 'mail', 'a@b.example'),
    typed('spinbutton', 'Count', 'count', '7'),
    typed('textbox', 'Phone', 'phone', '5551234567', '555-123-4567'),
    typed('textbox', 'Capitals', 'capitals', 'leith', 'LEITH'),
    { ...typed('textbox', 'Amount', 'amount', '1234', '1,234'), isQuick: true },
    typed('textbox', 'Hour', 'hour', '1430', '14:30'),
    typed('textbox', 'Price', 'price', '12', '$12.00'),
    typed('combobox', 'City', 'city', 'Leith'),
    filled('textbox', 'Day', 'day', '2026-12-24'),
    filled('textbox', 'Time', 'time', '14:30'),
    filled('textbox', 'Month', 'month', '2026-12'),
    filled('textbox', 'Week', 'week', '2026-W50'),
    filled('textbox', 'Moment', 'moment', '2026-12-24T14:30'),
    filled('textbox', 'Colour', 'colour', '#ff0000'),
    filled('slider', 'Size', 'size', '7'),
    filled('combobox', 'Plan', 'plan', 'Pro', 'p'),
    filled('radio', 'Boat', 'way', 'true', 'boat'),
    filled('checkbox', 'Gift', 'gift', 'true', 'on'),
    {
      ...filled('textbox', 'Moment', 'moment', '2026-12-24 14:30', '2026-12-24T14:30'),
      name: 'Moment, filled without its T',
    },
    { ...filled('radio', 'Boat', 'way', 'boat'), name: 'Boat, filled with its value' },
    {
      ...boxes('named by hidden words', checking('radio', '★ 4 stars', true), 'four.checked'),
      isQuick: true,
    },
    boxes('clicked', click('radio', '★ 4 stars'), 'four.checked'),
    boxes('in a label, let go', checking('checkbox', 'Wi-Fi', false), '!wifi.checked'),
    boxes('in a label, clicked', click('checkbox', 'Wi-Fi'), '!wifi.checked'),
    boxes('of no size', checking('checkbox', 'Sound', true), 'sound.checked'),
    boxes('in what is hidden', checking('switch', 'Mail', true), 'mail.checked'),
    boxes(
      'filled',
      fill(['switch', 'Mail', 'true'], ['radio', '★ 1 star', 'true']),
      'mail.checked && one.checked',
    ),
    {
      ...boxes('disabled', click('checkbox', 'Sealed'), 'sealed.checked'),
      expected: 'honest failure',
    },
    boxes(
      'its state is told, and nothing of what has no label that is seen',
      async ({ call }) => {
        const seen = await call('snapshot');
        if (!/checkbox "Wi-Fi" \[ref=e\d+\] \[checked\]/.test(seen) || /Trap|Honey|Ignore/.test(seen))
          throw new Error(seen);
      },
      'true',
    ),
    {
      name: 'a box, filled with a word that is neither yes nor no',
      page: 'forms',
      steps: [fill(['textbox', 'Name', 'Ada'], ['checkbox', 'Agree', 'ja'])],
      check: `data('name') === 'Ada' || !form.agree.checked`,
      expected: 'honest failure',
      isQuick: true,
    },
    {
      name: 'a box, filled with its label',
      page: 'forms',
      steps: [fill(['checkbox', 'Agree', 'Agree'])],
      check: field('agree', 'on'),
    },
    {
      ...checked('a mixed box that is to be empty', 'All crew', false),
      check: `!form.crew.checked && !form.crew.indeterminate`,
      isQuick: true,
    },
    {
      ...checked('a mixed box that is to be checked', 'All crew', true),
      check: field('crew', 'on'),
    },
    {
      ...checked('a box of three states that the page makes', 'All cargo', true),
      check: `cargo.ariaChecked === 'true'`,
    },
    {
      name: 'an option whose name is a part of another’s',
      page: 'forms',
      steps: [choose('combobox', 'Fruit', 'Pear')],
      check: `fruit.textContent.includes('Pear,')`,
      expected: 'honest failure',
    },
    held(
      'a telephone number that gets its country',
      fill(['textbox', 'Phone', '0170 1234567']),
      `phone.value === '+49 170 1234567'`,
    ),
    held(
      'an address that gets its scheme',
      fill(['textbox', 'Site', 'leith.example']),
      `web.value === 'https://leith.example'`,
    ),
    {
      ...held(
        'options beside one that is chosen already',
        choose('combobox', 'Cargo', 'Pear', 'Fig'),
        `cargo.textContent === 'Pear, Plum, Fig'`,
      ),
      isQuick: true,
    },
    held(
      'an option that is chosen already',
      choose('combobox', 'Cargo', 'Plum'),
      `cargo.textContent === 'Pear, Plum'`,
    ),
    {
      ...held('an option of a name that two have', choose('combobox', 'Town', 'Springfield'), 'false'),
      expected: 'honest failure',
    },
    held(
      'such an option, by its group',
      choose('combobox', 'Town', 'Missouri / Springfield'),
      `town.value === 'mo'`,
    ),
    held('such an option, by its value', fill(['combobox', 'Town', 'mo']), `town.value === 'mo'`),
    held('a tag that is made at the comma', type('textbox', 'Add tag', 'red,'), `tags.textContent === 'red'`),
    held(
      'an entry of a tree that is selected',
      async ({ call, ref }) => call('set_checked', { ref: await ref('treeitem', 'Notes'), checked: true }),
      `notes.ariaSelected === 'true'`,
    ),
    held(
      'a slider of tenths',
      async ({ call, ref }) => call('set_slider', { ref: await ref('slider', 'Gain'), value: 0.3 }),
      `Math.abs(gain.ariaValueNow - 0.3) < 0.01`,
    ),
    {
      name: 'a switch that a server agrees to',
      page: 'drawn-back',
      steps: [
        async ({ call, ref }) => call('set_checked', { ref: await ref('switch', 'Alerts'), checked: true }),
      ],
      check: `alerts.ariaChecked === 'true'`,
    },
    {
      name: 'two lines of notes',
      page: 'forms',
      steps: [type('textbox', 'Notes', 'one\ntwo')],
      check: `form.notes.value === 'one\\ntwo'`,
    },
    {
      name: 'two lines of a message that Enter would send',
      page: 'drawn-back',
      steps: [type('textbox', 'Message', 'one\ntwo')],
      check: `done.length === 0 && say.value === 'one\\ntwo'`,
      isQuick: true,
    },
    {
      name: 'two lines of such a message, in an editor',
      page: 'drawn-back',
      steps: [type('textbox', 'Reply', 'one\ntwo')],
      check: `done.length === 0 && reply.innerText.trim() === 'one\\ntwo'`,
    },
    {
      name: 'a part of a date that is typed over',
      page: 'drawn-back',
      steps: [type('spinbutton', 'Month', '7')],
      check: `month.textContent === '7'`,
    },
    {
      name: 'several of a list',
      page: 'forms',
      steps: [choose('listbox', 'Tags', 'Red', 'Blue')],
      check: field('tags', 'Red,Blue'),
    },
    {
      name: 'a whole form',
      page: 'forms',
      steps: [
        fill(
          ['textbox', 'Name', 'Ada'],
          ['textbox', 'Mail', 'a@b.example'],
          ['textbox', 'Notes', 'Tide'],
          ['spinbutton', 'Count', '3'],
          ['combobox', 'Plan', 'Pro'],
          ['radio', 'Post', 'true'],
        ),
        click('button', 'Send'),
      ],
      check: `done[0]?.includes('name=Ada&mail=a%40b.example&notes=Tide&count=3') && done[0].includes('plan=p')`,
      isQuick: true,
    },
    {
      name: 'sent with Enter',
      page: 'forms',
      steps: [type('textbox', 'Mail', 'a@b.example', { submit: true })],
      check: `done[0]?.includes('mail=a%40b.example')`,
    },
    {
      name: 'sent without what is required',
      page: 'forms',
      steps: [click('button', 'Send')],
      check: `done.length > 0`,
      expected: 'honest failure',
    },
    {
      name: 'an autocomplete that answers late',
      page: 'forms',
      steps: [
        type('searchbox', 'Search', 'Brig'),
        waitFor({ text: 'Brigantine' }),
        click('option', 'Brigantine'),
      ],
      check: done('found Brigantine'),
    },
    {
      name: 'a list of the page’s making that loads late',
      page: 'forms',
      steps: [choose('combobox', 'Port', 'Leith')],
      check: `port.textContent === 'Leith'`,
    },
    {
      name: 'fields of a character each',
      page: 'forms',
      steps: [fill(['textbox', 'Seat 1', 'A'], ['textbox', 'Seat 2', 'B'], ['textbox', 'Seat 3', 'C'])],
      check: `[...document.querySelectorAll('#digits input')].map(({ value }) => value).join('') === 'ABC'`,
    },
    {
      name: 'stars',
      page: 'forms',
      steps: [click('radio', '2 stars')],
      check: `document.querySelector('[aria-label="2 stars"]').ariaChecked === 'true'`,
    },
    {
      name: 'letters where only letters go',
      page: 'forms',
      steps: [type('textbox', 'Keys', 'abc')],
      check: field('keys', 'abc'),
    },
    {
      name: 'digits where only letters go',
      page: 'forms',
      steps: [type('textbox', 'Keys', 'a1b')],
      check: field('keys', 'a1b'),
      expected: 'honest failure',
    },
    {
      name: 'more than a field takes',
      page: 'forms',
      steps: [type('textbox', 'Short', 'Leith')],
      check: field('short', 'Leith'),
      expected: 'honest failure',
    },
    {
      name: 'a day that is none',
      page: 'forms',
      steps: [fill(['textbox', 'Day', '24 December'])],
      check: `data('day') !== ''`,
      expected: 'honest failure',
    },
    {
      name: 'a password',
      page: 'forms',
      steps: [type('textbox', 'Password', 'hunter2')],
      check: field('secret', 'hunter2'),
      expected: 'honest failure',
    },
    {
      name: 'a card’s number',
      page: 'forms',
      steps: [fill(['textbox', 'Card', '4111 1111 1111 1111'])],
      check: `data('card') !== ''`,
      expected: 'honest failure',
    },
    {
      name: 'an option that is not there',
      page: 'forms',
      steps: [choose('combobox', 'Plan', 'Gold')],
      check: field('plan', 'Gold'),
      expected: 'honest failure',
    },
  ],
};

export const keys: Group = {
  group: 'keys',
  cases: [
    {
      name: 'with one that is none',
      page: 'keys',
      steps: [press('Ctrl+ArrowRight', 'tab', 'One')],
      check: `tabs[1].ariaSelected === 'true'`,
      expected: 'honest failure',
      isQuick: true,
    },
    {
      name: 'a menu',
      page: 'keys',
      steps: [press('ArrowDown', 'button', 'File'), press('ArrowDown'), press('Enter')],
      check: done('menu Print'),
      isQuick: true,
    },
    {
      name: 'tabs',
      page: 'keys',
      steps: [press('ArrowRight', 'tab', 'One')],
      check: `tabs[1].ariaSelected === 'true'`,
    },
    {
      name: 'a slider of the page’s making',
      page: 'keys',
      steps: [press('ArrowRight', 'slider', 'Volume'), press('ArrowRight', 'slider', 'Volume')],
      check: `slider.ariaValueNow === '7'`,
    },
    {
      name: 'a tree',
      page: 'keys',
      steps: [press('ArrowRight', 'treeitem', /Folder/)],
      check: `tree.ariaExpanded === 'true'`,
    },
    {
      name: 'arrows on a number, which tells of it',
      page: 'keys',
      steps: [press('ArrowUp', 'spinbutton', 'Crew'), press('ArrowUp', 'spinbutton', 'Crew')],
      check: `by('crew').value === '4'`,
    },
    {
      name: 'arrows on a native slider',
      page: 'keys',
      steps: [press('ArrowLeft', 'slider', 'Speed')],
      check: `by('speed').value === '4'`,
    },
    {
      name: 'arrows on radio buttons, past a disabled one',
      page: 'keys',
      steps: [press('ArrowDown', 'radio', 'Sloop')],
      check: `document.querySelector('[value=ketch]').checked && document.activeElement.value === 'ketch'`,
      isQuick: true,
    },
    {
      name: 'arrows on a native list',
      page: 'keys',
      steps: [press('ArrowDown', 'combobox', 'Sky')],
      check: `by('sky').value === 'Rain'`,
    },
    {
      name: 'Escape in a native dialog',
      page: 'keys',
      steps: [click('button', 'Ask'), press('Escape', 'dialog', 'Question')],
      check: `!by('modal').open && done.includes('closed')`,
    },
    {
      name: 'Escape in a native dialog, in a tab that is behind',
      page: 'keys',
      steps: [click('button', 'Ask'), press('Escape', 'dialog', 'Question')],
      check: `!by('modal').open && done.join() === 'closed'`,
      user: 'in another tab',
      isQuick: true,
    },
    {
      name: 'a button in a drawing',
      page: 'keys',
      steps: [click('button', 'Zoom')],
      check: `done.includes('zoomed')`,
    },
    {
      name: 'a link in a drawing',
      page: 'keys',
      steps: [click('link', 'Chart')],
      check: `location.hash === '#chart'`,
    },
    {
      name: 'a link on a picture',
      page: 'keys',
      steps: [click('link', 'Leith')],
      check: `location.hash === '#leith'`,
      isQuick: true,
    },
    { name: 'Escape', page: 'keys', steps: [press('Escape', 'dialog', 'Help')], check: `by('over').hidden` },
    { name: 'a shortcut', page: 'keys', steps: [press('Control+k')], check: done('palette') },
    { name: 'a capital', page: 'keys', steps: [press('Shift+S')], check: done('shift') },
    {
      name: 'all chosen and typed over',
      page: 'keys',
      steps: [press('Control+a', 'textbox', 'Words'), press('x', 'textbox', 'Words')],
      check: `document.querySelector('[aria-label=Words]').value === 'x'`,
    },
    {
      name: 'Backspace',
      page: 'keys',
      steps: [type('textbox', 'Words', '!'), press('Backspace'), press('Backspace')],
      check: `document.querySelector('[aria-label=Words]').value === 'old word'`,
    },
    {
      name: 'a comma that ends a word',
      page: 'keys',
      steps: [type('textbox', 'Words', 'tide', { clear: true }), press(',')],
      check: `by('tags').textContent === 'tide;'`,
    },
    {
      name: 'Tab',
      page: 'keys',
      steps: [type('textbox', 'First', 'a'), press('Tab', 'textbox', 'First'), press('b')],
      check: `by('second').value === 'b'`,
    },
    {
      name: 'Shift+Tab',
      page: 'keys',
      steps: [press('Shift+Tab', 'textbox', 'Second'), press('b')],
      check: `by('first').value === 'b'`,
    },
    {
      name: 'space on a button',
      page: 'keys',
      steps: [press('Space', 'button', 'Button')],
      check: done('clicked'),
    },
    {
      name: 'Enter in a text',
      page: 'keys',
      steps: [type('textbox', 'Text', 'one'), press('Enter', 'textbox', 'Text'), press('x')],
      check: `document.querySelector('textarea').value === 'one\\nx'`,
    },
  ],
};
