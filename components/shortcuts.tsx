import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BrowserShortcut } from '../lib/protocol/attached.ts';
import { usePanel } from './panel-context.ts';
import { type Chord, CHORDS, sendChord } from './ui/keys/chords.ts';
import { keyLabel } from './ui/keys/key-label.ts';
import { Modal } from './ui/overlay/modal.tsx';
import './shortcuts.css';
import { t } from '../locales/texts/panel.ts';

type Shortcut = { does: string; chords: Chord[] };

/** Every key that does something in the panel. */
function shortcuts(enterSends: boolean): { title: string; list: Shortcut[] }[] {
  const { groups, ...does } = t(($) => $.keys);
  const of = (...names: (keyof typeof CHORDS)[]): Shortcut[] =>
    names.map((name) => ({ does: does[name], chords: [CHORDS[name]] }));
  const send = { does: does.send, chords: [sendChord(enterSends)] };
  const sends: Shortcut[] = enterSends
    ? [
        send,
        { does: does.sendOther, chords: [['Mod', 'Enter']] },
        { does: does.line, chords: [['Shift', 'Enter']] },
      ]
    : [send, { does: does.line, chords: [['Enter'], ['Shift', 'Enter']] }];
  return [
    { title: groups.panel, list: of('newChat', 'history', 'toApproval', 'toMessage', 'escape', 'help') },
    { title: groups.message, list: [...sends, ...of('steer', 'prompts', 'context', 'edit')] },
    { title: groups.approval, list: of('allow', 'deny') },
    { title: groups.parts, list: [{ does: does.arrows, chords: [['↑'], ['↓'], ['←'], ['→']] }] },
  ];
}

/** What `?` shows: all keys, as they are on this computer and with these settings. */
export function Shortcuts({ close }: { close: () => void }): JSX.Element {
  const { setup, command } = usePanel();
  const { enterSends = true } = setup.value?.settings ?? {};
  const [outside, setOutside] = useState<BrowserShortcut[]>([]);
  useEffect(() => void command('listShortcuts').then((got) => got && setOutside(got.reply)), []);
  return (
    <Modal title={t(($) => $.panel.shortcuts)} closeName={t(($) => $.keys.close)} close={close}>
      <div class="shortcuts" tabIndex={0} role="region" aria-label={t(($) => $.panel.shortcuts)}>
        {shortcuts(enterSends).map((group) => (
          <Group key={group.title} {...group} />
        ))}
        {outside.length > 0 && (
          <Group title={t(($) => $.keys.groups.browser)} list={ofBrowser(outside)}>
            <p class="small subtle">{t(($) => $.keys.change[isFirefox(outside) ? 'firefox' : 'chromium'])}</p>
          </Group>
        )}
      </div>
    </Modal>
  );
}

function Group(props: { title: string; list: Shortcut[]; children?: JSX.Element }): JSX.Element {
  const { title, list, children } = props;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {list.map(({ does, chords }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {chords.length === 0 && <span class="subtle">{t(($) => $.keys.unset)}</span>}
              {chords.map((chord) => (
                <span key={chord.join()} class="chord">
                  {chord.map((key) => (
                    <kbd key={key}>{keyLabel(key)}</kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  );
}

/** The keys that the browser itself has for Portside, and the word in its address bar. */
function ofBrowser(all: BrowserShortcut[]): Shortcut[] {
  const { browser, omnibox } = t(($) => $.keys);
  const known = all.flatMap(({ name, keys }) =>
    name in browser
      ? [{ does: browser[name as keyof typeof browser], chords: keys === '' ? [] : [keys.split('+')] }]
      : [],
  );
  return [...known, { does: omnibox, chords: [[OMNIBOX]] }];
}

/** As the manifest has it (wxt.config.ts). */
const OMNIBOX = 'ps';

const isFirefox = (all: BrowserShortcut[]): boolean =>
  all.some(({ name }) => name === '_execute_sidebar_action');
