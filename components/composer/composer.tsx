import { ArrowUp, Cloud, Lock } from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { isLoopback, providerFor, urlOf } from '../../lib/state/setup.ts';
import type { Provider } from '../../lib/types.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { ModelPicker } from './model-picker.tsx';

/** Where the person writes. The text stays until the worker has taken it. */
export function Composer(): JSX.Element {
  const panel = usePanel();
  const setup = panel.setup.value;
  const provider = providerFor(setup, panel.chat.value.conversation?.providerId);
  const text = panel.text.value;
  const ready = provider !== null && text.trim() !== '' && !panel.starting.value;
  const live = panel.live.value;
  const send = (event: Event): void => {
    event.preventDefault();
    if (ready) void panel.send();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An Enter that only ends the composition of a character is not a wish to send.
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event);
  };
  return (
    <>
      <form class="composer" onSubmit={send}>
        <MessageField
          text={text}
          placeholder={placeholder({ noModel: setup !== null && !provider, live })}
          onKeyDown={onKeyDown}
        />
        <div class="composer-bar">
          <ModelPicker provider={provider} />
          <button
            class="btn primary send"
            aria-label={en.composer.send}
            disabled={!ready}
            {...(live && { title: en.composer.sendQueued })}
          >
            <Icon of={ArrowUp} />
          </button>
        </div>
      </form>
      {provider && <Where provider={provider} />}
    </>
  );
}

/** What becomes of a message. One that is sent while a call waits for the person is queued like any other. */
export function placeholder({ noModel, live }: { noModel: boolean; live: boolean }): string {
  if (noModel) return en.composer.noModelYet;
  return live ? en.composer.another : en.composer.ask;
}

function MessageField(props: {
  text: string;
  placeholder: string;
  onKeyDown: (event: KeyboardEvent) => void;
}): JSX.Element {
  const panel = usePanel();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = field.current;
    // Firefox has no field-sizing yet.
    if (!area || CSS.supports('field-sizing', 'content')) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [props.text]);
  return (
    <textarea
      ref={field}
      aria-label={en.composer.message}
      rows={1}
      placeholder={props.placeholder}
      value={props.text}
      onInput={(event) => panel.type(event.currentTarget.value)}
      onKeyDown={props.onKeyDown}
      autofocus
    />
  );
}

/** Which machine reads the message. */
function Where({ provider }: { provider: Provider }): JSX.Element {
  const here = isLoopback(provider.baseUrl);
  const who = provider.name || (urlOf(provider.baseUrl)?.host ?? provider.baseUrl);
  return (
    <p class="where">
      <Icon of={here ? Lock : Cloud} />
      <span class="cut">{here ? en.composer.stays : en.composer.sentTo(who)}</span>
    </p>
  );
}
