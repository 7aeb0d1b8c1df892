import type { JSX } from 'preact';
import { en } from '../locales/en-late.ts';
import { usePanel } from './panel-context.ts';
import { Modal } from './ui/modal.tsx';
import './shortcuts.css';

type KeyName = keyof typeof en.keys.names;
/** Keys pressed at once; a single letter or sign is itself. */
type Chord = (KeyName | (string & {}))[];
type Shortcut = { does: string; chords: Chord[] };

const isMac = (): boolean => /Mac/.test(navigator.platform);

/** Every key that does something in the panel. */
function shortcuts(enterSends: boolean): { title: string; list: Shortcut[] }[] {
  const { groups, ...does } = en.keys;
  const sends: Shortcut[] = enterSends
    ? [
        { does: does.send, chords: [['Enter']] },
        { does: does.sendOther, chords: [['Mod', 'Enter']] },
        { does: does.line, chords: [['Shift', 'Enter']] },
      ]
    : [
        { does: does.send, chords: [['Mod', 'Enter']] },
        { does: does.line, chords: [['Enter'], ['Shift', 'Enter']] },
      ];
  return [
    {
      title: groups.panel,
      list: [
        { does: does.newChat, chords: [['Mod', 'Shift', 'O']] },
        { does: does.history, chords: [['Mod', 'K']] },
        { does: does.toApproval, chords: [['Alt', 'A']] },
        { does: does.toMessage, chords: [['Alt', 'M']] },
        { does: does.escape, chords: [['Escape']] },
        { does: does.help, chords: [['?']] },
      ],
    },
    {
      title: groups.message,
      list: [
        ...sends,
        { does: does.steer, chords: [['Alt', 'Enter']] },
        { does: does.prompts, chords: [['/']] },
        { does: does.context, chords: [['@']] },
        { does: does.edit, chords: [['Up']] },
      ],
    },
    {
      title: groups.approval,
      list: [
        { does: does.allow, chords: [['Mod', 'Enter']] },
        { does: does.deny, chords: [['Escape']] },
      ],
    },
    { title: groups.parts, list: [{ does: does.arrows, chords: [['↑'], ['↓'], ['←'], ['→']] }] },
  ];
}

/** What `?` shows: all keys, as they are on this computer and with these settings. */
export function Shortcuts({ close }: { close: () => void }): JSX.Element {
  const { enterSends = true } = usePanel().setup.value?.settings ?? {};
  return (
    <Modal title={en.panel.shortcuts} closeName={en.keys.close} close={close}>
      <div class="shortcuts" tabIndex={0} role="region" aria-label={en.panel.shortcuts}>
        {shortcuts(enterSends).map(({ title, list }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {list.map(({ does, chords }) => (
                <div key={does}>
                  <dt>{does}</dt>
                  <dd>
                    {chords.map((chord) => (
                      <span key={chord.join()} class="chord">
                        {chord.map((key) => (
                          <kbd key={key}>{labelOf(key)}</kbd>
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

function labelOf(key: string): string {
  const { names, mac } = en.keys;
  if (isMac() && key in mac) return mac[key as keyof typeof mac];
  return key in names ? names[key as KeyName] : key;
}
