import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { Segments } from './fields.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { useAction } from './use-action.ts';

/** The page General. Every setting is saved as it is changed. */
export function GeneralPage(): JSX.Element {
  const { settings } = useSetup();
  const { command } = useSetupState();
  const action = useAction();
  return (
    <>
      <header class="head">
        <div>
          <h1>{en.options.general}</h1>
        </div>
      </header>
      {action.error && <Problem error={action.error} />}
      <section class="block" aria-label={en.general.agent}>
        <h2>{en.general.agent}</h2>
        <div class="rows">
          <Iterations
            value={settings.maxIterations}
            set={(maxIterations) => action.run(() => command('saveSettings', { maxIterations }))}
          />
        </div>
      </section>
      <section class="block" aria-label={en.general.look}>
        <h2>{en.general.look}</h2>
        <div class="rows">
          <div class="set">
            <span class="label">{en.general.theme}</span>
            <Segments
              label={en.general.theme}
              value={settings.theme}
              options={en.general.themes}
              set={(theme) => action.run(() => command('saveSettings', { theme }))}
            />
          </div>
        </div>
      </section>
    </>
  );
}

const [MIN, MAX] = [1, 50];

/** The nearest allowed number; null when what was typed is none. */
export function clampIterations(typed: string): number | null {
  const value = Math.round(Number(typed));
  return typed.trim() === '' || Number.isNaN(value) ? null : Math.min(MAX, Math.max(MIN, value));
}

function Iterations({ value, set }: { value: number; set: (value: number) => void }): JSX.Element {
  const id = useId();
  const [typed, setTyped] = useState(String(value));
  useEffect(() => setTyped(String(value)), [value]);
  const commit = (text: string): void => {
    const next = clampIterations(text) ?? value;
    setTyped(String(next));
    if (next !== value) set(next);
  };
  return (
    <div class="set">
      <label for={id}>{en.general.iterations}</label>
      <p class="help" id={`${id}-help`}>
        {en.general.iterationsHelp}
      </p>
      <div class="ctl range">
        <input
          type="range"
          min={MIN}
          max={MAX}
          value={clampIterations(typed) ?? value}
          aria-hidden="true"
          tabIndex={-1}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => commit(event.currentTarget.value)}
        />
        <input
          class="input"
          id={id}
          type="number"
          min={MIN}
          max={MAX}
          aria-describedby={`${id}-help`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => commit(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
