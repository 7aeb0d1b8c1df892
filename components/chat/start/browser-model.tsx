import { Cpu } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { BROWSER_MODEL, prepareModel } from '../../../lib/language-model.ts';
import { presets } from '../../../lib/provider-presets.ts';
import { focusMessage } from '../../composer/message-field.tsx';
import { usePanel } from '../../panel-context.ts';
import { useBrowserModel } from '../../providers/use-browser-model.ts';
import { Icon } from '../../ui/icon.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { Pick } from './pick.tsx';
import './empty.css';
import './local-models.css';
import { t } from '../../../locales/texts/panel.ts';

type State =
  | { type: 'idle'; isBack: boolean }
  /** `share`: how much of it was downloaded, 0 to 1; null before the browser told. */
  | { type: 'preparing'; share: number | null }
  /** `cause`: the browser's own words. */
  | { type: 'failed'; cause: string };

/** The way to the browser's own model, where there is one: what is missing of it is downloaded first. */
export function BrowserModel(): JSX.Element | null {
  const { command } = usePanel();
  const availability = useBrowserModel();
  const [state, setState] = useState<State>({ type: 'idle', isBack: false });
  const preparing = useRef<AbortController | null>(null);
  const cancel = (): void => preparing.current?.abort();
  useEffect(() => cancel, []);

  const use = async (): Promise<void> => {
    if (preparing.current) return;
    const { signal } = (preparing.current = new AbortController());
    try {
      if (availability !== 'available') {
        setState({ type: 'preparing', share: null });
        await prepareModel((share) => !signal.aborted && setState({ type: 'preparing', share }), signal);
      }
      const preset = presets.find(({ id }) => id === 'browser');
      if (!preset || signal.aborted) return;
      const { id, name, baseUrl } = preset;
      if (await command('saveProvider', { preset: id, name, baseUrl, model: BROWSER_MODEL })) focusMessage();
      else setState({ type: 'idle', isBack: false });
    } catch (error) {
      setState(signal.aborted ? { type: 'idle', isBack: true } : { type: 'failed', cause: String(error) });
    } finally {
      preparing.current = null;
    }
  };

  if (availability === 'unavailable') return null;
  if (state.type === 'preparing') return <Preparing share={state.share} cancel={cancel} />;
  const limits = t(($) => $.firstRun.browserSub);
  return (
    <li class="browser-model">
      <Pick
        icon={Cpu}
        name={t(($) => $.firstRun.browser)}
        sub={availability === 'available' ? limits : `${limits} ${t(($) => $.firstRun.browserDownload)}`}
        press={() => void use()}
        takesFocus={state.type === 'failed' || state.isBack}
      />
      {state.type === 'failed' && (
        <p class="pick-fault" role="alert">
          {t(($) => $.firstRun.browserFailed)} <span class="fault-cause subtle">{state.cause}</span>
        </p>
      )}
    </li>
  );
}

function Preparing({ share, cancel }: { share: number | null; cancel: () => void }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useLayer(true, cancel);
  // It stands where the button was that was pressed.
  useEffect(() => button.current?.focus(), []);
  const percent = Math.floor((share ?? 0) * 100);
  const words =
    share === 1 ? t(($) => $.firstRun.browserStarting) : t(($) => $.firstRun.browserProgress, { percent });
  return (
    <li class="pick found">
      <Icon of={Cpu} />
      <span>
        <span class="name">{t(($) => $.firstRun.browser)}</span>
        <span class="sub num">{words}</span>
        <progress class="bar-track" aria-label={words} max={1} {...(share !== 1 && { value: share ?? 0 })} />
      </span>
      <span class="actions">
        <button class="btn" ref={button} onClick={cancel}>
          {t(($) => $.actions.cancel)}
        </button>
      </span>
    </li>
  );
}
