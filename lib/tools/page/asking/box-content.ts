import type { AskBox } from '../../../types/ask-box.ts';

/** Characters of what is asked about that are shown. */
const MOST_QUOTED = 400;

/** The colours are those of components/ui/tokens.css. */
const STYLES = `
* { box-sizing: border-box; }
html { background: light-dark(#ffffff, #1d2426); color: light-dark(#141c1d, #e5ebeb); font: 13px/20px system-ui, sans-serif; }
body { margin: 0; }
[role=dialog] { display: grid; gap: 8px; padding: 12px; }
header { display: flex; align-items: center; gap: 8px; }
h1 { flex: 1; margin: 0; font: inherit; font-weight: 600; }
blockquote {
  margin: 0; padding-inline-start: 8px; border-inline-start: 2px solid light-dark(#c6d0d1, #3d494c);
  color: light-dark(#475455, #aab6b7); overflow: hidden; overflow-wrap: anywhere;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3;
}
textarea {
  width: 100%; min-height: 52px; max-height: 120px; padding: 4px 8px; resize: none; field-sizing: content;
  border: 1px solid light-dark(#84908f, #6f7e80); border-radius: 6px;
  background: light-dark(#ffffff, #151a1c); color: inherit; font: inherit;
}
::placeholder { color: light-dark(#576465, #9facad); opacity: 1; }
button {
  min-height: 28px; padding: 0 12px; cursor: pointer; border: 1px solid light-dark(#c6d0d1, #3d494c); border-radius: 6px;
  background: light-dark(#f0f3f4, #252e30); color: inherit; font: inherit; font-weight: 500; text-align: start;
}
button:hover { background: light-dark(#e9eeee, #2a3436); }
button:disabled { opacity: 0.5; cursor: default; }
.close { width: 28px; padding: 0; border-color: transparent; background: none; text-align: center; }
.ask { background: light-dark(#0b6a72, #1c7b83); border-color: transparent; color: #ffffff; }
.ask:hover { background: light-dark(#085961, #18707a); }
:focus-visible { outline: 2px solid light-dark(#0b6a72, #5cc4ca); outline-offset: 1px; }
[role=group] { display: flex; flex-wrap: wrap; gap: 4px; }
footer { display: flex; align-items: center; gap: 8px; }
footer p { flex: 1; margin: 0; color: light-dark(#475455, #aab6b7); }
`;

type BoxDoes = {
  /** The content is so many pixels high. */
  fit: (height: number) => void;
  close: () => void;
  /** @returns why the box stays */
  send: (question: string) => Promise<'noPanel' | 'failed' | undefined>;
};

/** Puts the content of the box for a question into its frame's document. What is no press or key of the user's does nothing. */
export function fillBox(document: Document, ask: AskBox, { fit, close, send }: BoxDoes): void {
  const { words } = ask;
  const { documentElement: root, body } = document;
  const made = <K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] => {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  };
  const button = (text: string, press: () => void): HTMLButtonElement => {
    const element = made('button', text);
    element.addEventListener('click', ({ isTrusted }) => isTrusted && press());
    return element;
  };

  document.title = words.title;
  root.lang = ask.language;
  root.dir = ask.direction;
  root.style.colorScheme = ask.theme === 'system' ? 'light dark' : ask.theme;
  document.head.append(made('style', STYLES));

  const box = made('div');
  box.setAttribute('role', 'dialog');
  box.setAttribute('aria-labelledby', 'title');
  const head = made('header');
  const away = button('✕', close);
  away.className = 'close';
  away.setAttribute('aria-label', words.close);
  const title = made('h1', words.title);
  title.id = 'title';
  head.append(title, away);
  const isLong = ask.quote.length > MOST_QUOTED;
  const quote = made('blockquote', ask.quote.slice(0, MOST_QUOTED).trimEnd() + (isLong ? '…' : ''));
  quote.dir = 'auto';
  const field = made('textarea');
  field.setAttribute('aria-label', words.question);
  field.placeholder = words.question;
  const turn = (): void => void (field.dir = field.value === '' ? ask.direction : 'auto');
  turn();
  const starters = made('div');
  starters.setAttribute('role', 'group');
  starters.setAttribute('aria-label', words.starters);
  const said = made('p');
  said.setAttribute('role', 'status');
  const sending = button(words.ask, () => void asks());
  sending.className = 'ask';
  sending.disabled = true;
  const foot = made('footer');
  foot.append(said, sending);

  const written = (): void => {
    turn();
    sending.disabled = field.value.trim() === '';
  };
  const write = (text: string): void => {
    field.value = text;
    field.focus();
    written();
  };
  starters.append(...ask.starters.map(({ name, text }) => button(name, () => write(text))));
  async function asks(): Promise<void> {
    const question = field.value.trim();
    if (question === '' || field.readOnly) return;
    field.readOnly = true;
    const why = await send(question);
    if (!why) return;
    said.textContent = words[why];
    if (why === 'noPanel') return sending.remove(); // it is asked as soon as there is one
    field.readOnly = false;
  }
  field.addEventListener('input', written);
  field.addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey, isTrusted, isComposing } = event;
    if (key !== 'Enter' || shiftKey || isComposing || !isTrusted) return;
    if (!ask.enterSends && !ctrlKey && !metaKey) return;
    event.preventDefault();
    void asks();
  });
  box.addEventListener('keydown', (event) => {
    const { key, shiftKey, isTrusted, isComposing } = event;
    if (!isTrusted || isComposing) return;
    if (key === 'Escape') close();
    if (key !== 'Tab') return;
    // The page lies behind the first and the last of them.
    const stops = [...box.querySelectorAll<HTMLElement>('button:enabled, textarea')];
    const [first, last] = shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
    if (document.activeElement !== last) return;
    event.preventDefault();
    first?.focus();
  });

  box.append(head, quote, field, ...(ask.starters.length > 0 ? [starters] : []), foot);
  body.replaceChildren(box);
  new ResizeObserver(() => fit(box.offsetHeight)).observe(box);
  field.focus();
}
