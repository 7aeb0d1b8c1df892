import { type Case, click, type Group, press, type Step, type } from '../case.ts';
import { done } from './pages.ts';

const answer =
  (accept: boolean, text?: string): Step =>
  ({ call }) =>
    call('handle_dialog', { accept, ...(text !== undefined && { text }) });
const to =
  (path: string): Step =>
  ({ call, site }) =>
    call('navigate', { url: site + path });

const of = (name: string, check: string, ...steps: Step[]): Case => ({ name, page: 'dialogs', steps, check });
const beyond = (...the: Parameters<typeof of>): Case => ({ ...of(...the), expected: 'honest failure' });

const guard = click('button', 'Guard');
const arrived = `location.pathname === '/arrived'`;

export const dialogs: Group = {
  group: 'dialogs of the browser’s',
  cases: [
    { ...of('an alert', done('alerted'), click('button', 'Alert')), isQuick: true },
    beyond('a question that nothing was said of', done('confirmed true'), click('button', 'Ask')),
    of('a question', done('confirmed true'), answer(true), click('button', 'Ask')),
    of('a question, cancelled', done('confirmed false'), answer(false), click('button', 'Ask')),
    {
      ...of(
        'a question in a tab that is behind',
        done('confirmed true'),
        answer(true),
        click('button', 'Ask'),
      ),
      user: 'in another tab',
    },
    beyond('a prompt that nothing was said of', done('named Ada'), click('button', 'Prompt')),
    of('a prompt', done('named Ada'), answer(true, 'Ada'), click('button', 'Prompt')),
    of('a prompt as it stands', done('named Brig'), answer(true), click('button', 'Prompt')),
    of(
      'a question after an alert',
      done('alerted,confirmed true'),
      answer(true),
      click('button', 'Alert'),
      click('button', 'Ask'),
    ),
    beyond('the second of two questions', done('both true true'), answer(true), click('button', 'Ask twice')),
    of('a question that comes late', done('late true'), answer(true), click('button', 'Ask late')),
    of('a question after a fetch', done('fetched true'), answer(true), click('button', 'Fetch and ask')),
    of('a question of the page’s own making', done('own true'), click('button', 'Answer itself')),
    beyond(
      'a question by a function that the page kept',
      done('kept true'),
      answer(true),
      click('button', 'Ask as ever'),
    ),
    of('a question before another page', arrived, answer(true), click('button', 'Leave')),
    of('a form that asks', done('sent'), answer(true), type('textbox', 'Port', 'Hull', { submit: true })),
    of(
      'a key that has a form ask',
      done('sent'),
      type('textbox', 'Port', 'Hull'),
      answer(true),
      press('Enter', 'textbox', 'Port'),
    ),
    of(
      'a box that asks',
      `document.querySelector('[type=checkbox]').checked`,
      answer(true),
      click('checkbox', 'Ticked'),
    ),
    of('a question in a frame', done('inner true'), answer(true), click('button', 'Inner')),
    // Browsers let it ask only once the user pressed something there.
    of('a page that does not want to be left', arrived, guard, to('/arrived')),
  ],
};
