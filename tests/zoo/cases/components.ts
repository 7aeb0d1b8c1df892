import { choose, click, type Group, press, type } from '../case.ts';
import { done } from './pages.ts';

export const material: Group = {
  group: '@material/web',
  cases: [
    {
      name: 'a button',
      page: 'material',
      steps: [click('button', 'Save')],
      check: done('pressed'),
      isQuick: true,
    },
    {
      name: 'a text field',
      page: 'material',
      steps: [type('textbox', 'Name', 'Ada')],
      check: `by('name').value === 'Ada'`,
      isQuick: true,
    },
    {
      name: 'a text area',
      page: 'material',
      steps: [type('textbox', 'Notes', 'one\ntwo')],
      check: `by('notes').value === 'one\\ntwo'`,
    },
    { name: 'a box', page: 'material', steps: [click('checkbox', 'Gift')], check: `by('gift').checked` },
    { name: 'a switch', page: 'material', steps: [click('switch', 'Dark')], check: `by('dark').selected` },
    { name: 'a radio', page: 'material', steps: [click('generic', 'Post')], check: `by('post').checked` },
    {
      name: 'a list, opened and pressed',
      page: 'material',
      steps: [click('combobox', 'Port'), click('option', 'Leith')],
      check: `by('port').value === 'leith'`,
    },
    {
      name: 'a list, chosen',
      page: 'material',
      steps: [choose('combobox', 'Port', 'Leith')],
      check: `by('port').value === 'leith'`,
    },
    {
      name: 'a list with keys',
      page: 'material',
      steps: [press('ArrowDown', 'combobox', 'Port'), press('ArrowDown'), press('Enter')],
      check: `by('port').value !== ''`,
    },
    { name: 'a chip', page: 'material', steps: [click('button', 'Red')], check: `by('chip').selected` },
    {
      name: 'a tab',
      page: 'material',
      steps: [click('generic', 'Two')],
      check: `by('tabs').activeTabIndex === 1`,
    },
    {
      name: 'a menu',
      page: 'material',
      steps: [click('button', 'Menu'), click('menuitem', 'Print')],
      check: done('print'),
    },
    {
      name: 'a dialog',
      page: 'material',
      steps: [click('button', 'Ask'), click('button', 'Yes')],
      check: done('yes'),
    },
  ],
};

export const ui5: Group = {
  group: '@ui5/webcomponents',
  cases: [
    { name: 'a button', page: 'ui5', steps: [click('button', 'Save')], check: done('saved') },
    {
      name: 'a field',
      page: 'ui5',
      steps: [type('textbox', 'Name', 'Ada')],
      check: `by('name').value === 'Ada'`,
    },
    {
      name: 'a text area',
      page: 'ui5',
      steps: [type('textbox', 'Notes', 'Ahoy')],
      check: `by('notes').value === 'Ahoy'`,
    },
    { name: 'a box', page: 'ui5', steps: [click('checkbox', 'Gift')], check: `by('gift').checked` },
    { name: 'a switch', page: 'ui5', steps: [click('switch', 'Dark')], check: `by('dark').checked` },
    { name: 'a radio', page: 'ui5', steps: [click('radio', 'Boat')], check: `by('boat').checked` },
    {
      name: 'a list, opened and pressed',
      page: 'ui5',
      steps: [click('combobox', 'Port'), click('option', 'Leith')],
      check: `by('port').value === 'leith'`,
    },
    {
      name: 'a list, chosen',
      page: 'ui5',
      steps: [choose('combobox', 'Port', 'Leith')],
      check: `by('port').value === 'leith'`,
    },
    {
      name: 'a combobox, typed',
      page: 'ui5',
      steps: [type('combobox', 'Ship', 'Sloop', { submit: true })],
      check: `by('ship').value === 'Sloop'`,
    },
    {
      name: 'a number',
      page: 'ui5',
      steps: [type('textbox', 'Count', '7', { clear: true, submit: true })],
      check: `by('count').value === 7`,
    },
    {
      name: 'a slider with keys',
      page: 'ui5',
      steps: [press('ArrowRight', 'slider', /Size/)],
      check: `by('size').value === 3`,
    },
    {
      name: 'a day, typed',
      page: 'ui5',
      steps: [type('textbox', 'Day', '2026-12-24', { submit: true })],
      check: `by('day').value === '2026-12-24'`,
    },
    { name: 'an entry of a list', page: 'ui5', steps: [click('generic', 'Ketch')], check: done('Ketch') },
    {
      name: 'a tab',
      page: 'ui5',
      steps: [click('tab', 'Two')],
      check: `document.querySelector('ui5-tab[text=Two]').selected`,
    },
    {
      name: 'a dialog',
      page: 'ui5',
      steps: [click('button', 'Ask'), click('button', 'Yes')],
      check: done('yes'),
    },
  ],
};
