import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lookAt, lookInto } from '../../../lib/gguf/fetch-weights.ts';
import type { StoredModel } from '../../../lib/gguf/store.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { TextField } from '../../ui/fields.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';
import { WorkButton } from '../form/work-button.tsx';
import { Facts } from './facts.tsx';
import { inWords, type Weights } from './use-weights.ts';

/** Weights from an address, which is looked at first, or from a file. */
export function AddWeights({ weights }: { weights: Weights }): JSX.Element {
  const [address, setAddress] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [found, setFound] = useState<StoredModel | null>(null);
  const url = URL.parse(address.trim());
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const looking = useGranted(isWeb ? address.trim() : 'http://127.0.0.1');
  const reading = useAction();
  const isBusy = weights.action.busy || reading.busy;
  const picker = useRef<HTMLInputElement>(null);

  const look = (): void => {
    setWrong(!isWeb);
    setFound(null);
    if (!isWeb) return;
    looking.run(async () => {
      const model = await lookAt(url.href).catch((error: unknown) => {
        throw inWords(error);
      });
      setFound(model);
    });
  };
  const take = (file: File | undefined): void => {
    if (!file) return;
    reading.run(async () => {
      const model = await lookInto(file).catch((error: unknown) => {
        throw inWords(error);
      });
      weights.start(model, file);
    });
  };
  return (
    <section class="block form" aria-label={t(($) => $.gguf.add)}>
      <h2>{t(($) => $.gguf.add)}</h2>
      <TextField
        label={t(($) => $.gguf.address)}
        value={address}
        set={(next) => {
          setAddress(next);
          setWrong(false);
          setFound(null);
        }}
        invalid={isWrong ? t(($) => $.gguf.addressWrong) : undefined}
        help={t(($) => $.gguf.addressHelp)}
        mono
      />
      <div class="actions">
        <WorkButton busy={looking.busy} press={look}>
          {t(($) => $.gguf.look)}
        </WorkButton>
        <WorkButton busy={reading.busy} disabled={isBusy} press={() => !isBusy && picker.current?.click()}>
          {t(($) => $.gguf.file)}
        </WorkButton>
        <input
          class="sr"
          type="file"
          accept=".gguf"
          tabIndex={-1}
          aria-label={t(($) => $.gguf.file)}
          ref={picker}
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        <Free />
      </div>
      {looking.error && <Problem error={looking.error} />}
      {reading.error && <Problem error={reading.error} />}
      {found && <Offer key={found.address} model={found} weights={weights} done={() => setFound(null)} />}
    </section>
  );
}

/** How much more the browser lets Portside keep. */
function Free(): JSX.Element | null {
  const [free, setFree] = useState<number | null>(null);
  useEffect(() => {
    void navigator.storage.estimate().then(({ quota = 0, usage = 0 }) => setFree(quota - usage));
  }, []);
  return free === null ? null : (
    <span class="small muted">{t(($) => $.gguf.free, { size: units.bytes(free) })}</span>
  );
}

/** What is at the address, before the download that a press begins. */
function Offer(props: { model: StoredModel; weights: Weights; done: () => void }): JSX.Element {
  const { model, weights, done } = props;
  const [expected, setExpected] = useState('');
  const [isWrong, setWrong] = useState(false);
  const download = (): void => {
    const sum = expected.trim().toLowerCase();
    const isSum = /^[\da-f]{64}$/.test(sum);
    setWrong(sum !== '' && !isSum);
    if ((sum !== '' && !isSum) || weights.action.busy) return;
    weights.start({ ...model, ...(isSum && { expected: sum }) });
    done();
  };
  return (
    <div class="form" role="group" aria-label={model.id}>
      <h3>{model.id}</h3>
      <Facts of={model} />
      <TextField
        label={t(($) => $.gguf.expected)}
        value={expected}
        set={(next) => {
          setExpected(next);
          setWrong(false);
        }}
        invalid={isWrong ? t(($) => $.gguf.expectedWrong) : undefined}
        help={t(($) => $.gguf.expectedHelp)}
        mono
      />
      <div class="actions">
        <WorkButton class="primary" busy={false} disabled={weights.action.busy} press={download}>
          {t(($) => $.gguf.download)}
        </WorkButton>
      </div>
    </div>
  );
}
