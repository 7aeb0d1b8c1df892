import { choose, click, fill, type Group, press, type, waitFor } from '../case.ts';
import { done } from './pages.ts';

const option = (name: string) => click('option', name);

const chosen = (id: string, value: string): string => `chosen('${id}') === '${value}'`;

export const select2: Group = {
  group: 'select2',
  cases: [
    {
      name: 'opened and pressed',
      page: 'select2',
      steps: [click('combobox', 'Hull'), option('Leith')],
      check: chosen('port', 'leith'),
    },
    {
      name: 'chosen',
      page: 'select2',
      steps: [choose('combobox', 'Hull', 'Cork')],
      check: chosen('port', 'cork'),
    },
    {
      name: 'searched',
      page: 'select2',
      steps: [click('combobox', 'Hull'), type('searchbox', /.*/, 'Lei'), option('Leith')],
      check: chosen('port', 'leith'),
    },
    {
      name: 'with keys',
      page: 'select2',
      steps: [click('combobox', 'Hull'), press('ArrowDown'), press('Enter')],
      check: chosen('port', 'leith'),
      isQuick: true,
    },
    {
      name: 'several',
      page: 'select2',
      steps: [type('searchbox', /.*/, 'Gre'), option('Green'), type('searchbox', /.*/, 'Bl'), option('Blue')],
      check: chosen('tags', 'green,blue'),
    },
    {
      name: 'a new word',
      page: 'select2',
      steps: [type('searchbox', /.*/, 'Mauve', { submit: true })],
      check: chosen('tags', 'Mauve'),
    },
    {
      name: 'late answers',
      page: 'select2',
      steps: [
        click('combobox', '', {}, 1),
        type('searchbox', /.*/, 'Aber', {}, 1),
        waitFor({ text: 'Aberdour' }),
        option('Aberdour'),
      ],
      check: chosen('late', 'aberdour'),
    },
  ],
};

const picked = (id: string, value: string): string => `chosen.${id} === '${value}'`;

export const react: Group = {
  group: 'React, react-select',
  cases: [
    {
      name: 'opened and pressed',
      page: 'react-select',
      steps: [click('combobox', 'Port'), option('Leith')],
      check: picked('port', 'leith'),
      isQuick: true,
    },
    {
      name: 'chosen',
      page: 'react-select',
      steps: [choose('combobox', 'Port', 'Cork')],
      check: picked('port', 'cork'),
    },
    {
      name: 'typed and entered',
      page: 'react-select',
      steps: [type('combobox', 'Port', 'Lei', { submit: true })],
      check: picked('port', 'leith'),
    },
    {
      name: 'with keys',
      page: 'react-select',
      steps: [press('ArrowDown', 'combobox', 'Port'), press('ArrowDown'), press('Enter')],
      check: picked('port', 'leith'),
    },
    {
      name: 'several',
      page: 'react-select',
      steps: [choose('combobox', 'Tags', 'Hull', 'Cork')],
      check: picked('tags', 'hull,cork'),
    },
    {
      name: 'late answers',
      page: 'react-select',
      steps: [type('combobox', 'Late', 'Co'), waitFor({ text: 'Cork' }), option('Cork')],
      check: picked('late', 'cork'),
    },
    {
      name: 'a new word',
      page: 'react-select',
      steps: [type('combobox', 'New', 'Ayr'), click('option', /Ayr/)],
      check: picked('new', 'Ayr'),
    },
    {
      name: 'a controlled field',
      page: 'react-select',
      steps: [type('textbox', 'Name', 'ada')],
      check: `state.name === 'ADA'`,
    },
    {
      name: 'a controlled box',
      page: 'react-select',
      steps: [click('checkbox', 'Agreed')],
      check: 'state.isAgreed',
    },
    {
      name: 'a button',
      page: 'react-select',
      steps: [click('button', 'Count 0'), click('button', 'Count 1')],
      check: 'state.count === 2',
    },
    {
      name: 'a native list',
      page: 'react-select',
      steps: [choose('combobox', 'Plan', 'Pro')],
      check: picked('plan', 'pro'),
    },
  ],
};

export const choices: Group = {
  group: 'Choices',
  cases: [
    {
      name: 'opened and pressed',
      page: 'choices',
      steps: [click('combobox', /Port|^$/), option('Leith')],
      check: chosen('port', 'leith'),
    },
    {
      name: 'chosen',
      page: 'choices',
      steps: [choose('combobox', /Port|^$/, 'Cork')],
      check: chosen('port', 'cork'),
    },
    {
      name: 'several',
      page: 'choices',
      steps: [click('searchbox', 'Tags'), option('Green'), click('searchbox', 'Tags'), option('Blue')],
      check: chosen('tags', 'green,blue'),
    },
    {
      name: 'searched',
      page: 'choices',
      steps: [type('searchbox', 'Tags', 'Blu'), press('Enter')],
      check: chosen('tags', 'blue'),
    },
    {
      name: 'words of one’s own',
      page: 'choices',
      steps: [type('searchbox', 'Words', 'tide', { submit: true })],
      check: chosen('words', 'tide'),
    },
    {
      name: 'taken away',
      page: 'choices',
      steps: [type('searchbox', 'Words', 'tide', { submit: true }), click('button', /Remove item/)],
      check: chosen('words', ''),
    },
  ],
};

export const flatpickr: Group = {
  group: 'flatpickr',
  cases: [
    {
      name: 'a day',
      page: 'flatpickr',
      steps: [click('textbox', 'Day'), click('generic', 'June 15, 2026')],
      check: chosen('day', '2026-06-15'),
    },
    {
      name: 'a day of the next month',
      page: 'flatpickr',
      steps: [
        click('textbox', 'Day'),
        press('Control+ArrowRight', 'generic', 'June 10, 2026'),
        click('generic', 'July 4, 2026'),
      ],
      check: chosen('day', '2026-07-04'),
    },
    {
      name: 'typed',
      page: 'flatpickr',
      steps: [type('textbox', 'Typed', '2026-12-24', { clear: true, submit: true })],
      check: chosen('typed', '2026-12-24'),
    },
    {
      name: 'filled',
      page: 'flatpickr',
      steps: [fill(['textbox', 'Typed', '2026-12-24'])],
      check: `document.getElementById('typed').value === '2026-12-24'`,
    },
    {
      name: 'a period',
      page: 'flatpickr',
      steps: [click('textbox', 'Period'), click('generic', 'June 12, 2026')],
      check: chosen('period', '2026-06-10,2026-06-12'),
    },
    {
      name: 'a time',
      page: 'flatpickr',
      steps: [click('textbox', 'Time'), type('spinbutton', 'Hour', '14', { clear: true, submit: true })],
      check: chosen('time', '14:30'),
    },
    {
      name: 'typed where only the calendar may write',
      page: 'flatpickr',
      steps: [type('textbox', 'Day', '2026-12-24')],
      check: chosen('day', '2026-12-24'),
      expected: 'honest failure',
    },
  ],
};

export const jqueryUi: Group = {
  group: 'jQuery UI',
  cases: [
    {
      name: 'a day',
      page: 'jquery-ui',
      steps: [click('textbox', 'Day'), click('link', '15')],
      check: `ui('#day').val() === '2026-06-15'`,
    },
    {
      name: 'a day of the next month',
      page: 'jquery-ui',
      steps: [click('textbox', 'Day'), click('generic', 'Next'), click('link', '4')],
      check: `ui('#day').val() === '2026-07-04'`,
    },
    {
      name: 'a day, typed',
      page: 'jquery-ui',
      steps: [type('textbox', 'Day', '2026-12-24')],
      check: `ui('#day').datepicker('getDate')?.getMonth() === 11`,
    },
    {
      name: 'autocomplete that answers late',
      page: 'jquery-ui',
      steps: [
        type('textbox', 'Ship', 'Bri'),
        waitFor({ text: 'Brigantine' }),
        click('listitem', 'Brigantine'),
      ],
      check: `ui('#ship').val() === 'Brigantine'`,
      isQuick: true,
    },
    {
      name: 'autocomplete with keys',
      page: 'jquery-ui',
      steps: [
        type('textbox', 'Ship', 'Slo'),
        waitFor({ text: 'Sloop' }),
        press('ArrowDown', 'textbox', 'Ship'),
        press('Enter', 'textbox', 'Ship'),
      ],
      check: `ui('#ship').val() === 'Sloop'`,
    },
    {
      name: 'a select menu',
      page: 'jquery-ui',
      steps: [choose('combobox', 'Slow', 'Fast')],
      check: done('speed Fast'),
    },
    {
      name: 'a spinner',
      page: 'jquery-ui',
      steps: [type('spinbutton', 'Count', '7', { clear: true })],
      check: `ui('#count').spinner('value') === 7`,
    },
    {
      name: 'a spinner’s button',
      page: 'jquery-ui',
      steps: [click('button', '')],
      check: `ui('#count').spinner('value') === 4`,
    },
    {
      name: 'a slider with keys',
      page: 'jquery-ui',
      steps: [press('ArrowRight', 'generic', ''), press('ArrowRight')],
      check: `ui('#size').slider('value') === 4`,
    },
    {
      name: 'a tab',
      page: 'jquery-ui',
      steps: [click('tab', 'Two')],
      check: `ui('#tabs').tabs('option', 'active') === 1`,
    },
    {
      name: 'an accordion',
      page: 'jquery-ui',
      steps: [click('tab', 'Beta')],
      check: `ui('#fold').accordion('option', 'active') === 1`,
    },
    { name: 'a menu', page: 'jquery-ui', steps: [click('menuitem', 'Help')], check: done('menu Help') },
    {
      name: 'a menu in a menu',
      page: 'jquery-ui',
      steps: [click('menuitem', 'File'), click('menuitem', 'Print')],
      check: done('menu File,menu Print'),
    },
    {
      name: 'a box',
      page: 'jquery-ui',
      steps: [click('checkbox', 'Gift')],
      check: `ui('#box').is(':checked')`,
    },
    {
      name: 'a dialog',
      page: 'jquery-ui',
      steps: [click('button', 'Open'), click('button', 'Yes')],
      check: done('yes'),
    },
  ],
};
