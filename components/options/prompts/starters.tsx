import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { starterOf, type Starter } from '../../../lib/state/composer/starters.ts';
import { LONGEST_STARTER, STARTERS, type StarterChoice, type StarterId } from '../../../lib/types/starter.ts';
import { Switch } from '../../ui/fields.tsx';
import { Problem } from '../form/problem.tsx';
import { useSettings } from '../form/use-changes.ts';
import { t } from '../../../locales/texts/settings.ts';

/** What a new chat offers to ask: which of it, and in which words. */
export function StarterSettings(): JSX.Element {
  const { settings, save, error } = useSettings();
  const choose = (id: StarterId, choice: StarterChoice): void => save({ starters: { [id]: choice } });
  return (
    <section class="block" aria-labelledby="starters">
      <h2 id="starters">{t(($) => $.prompts.starters.title)}</h2>
      <p class="help">{t(($) => $.prompts.starters.lead)}</p>
      {error && <Problem error={error} />}
      <ul class="rows" aria-labelledby="starters">
        {STARTERS.map((id) => (
          <StarterRow
            key={id}
            starter={starterOf(id, settings.starters)}
            usual={starterOf(id, {}).text}
            choice={settings.starters[id] ?? {}}
            choose={(choice) => choose(id, choice)}
          />
        ))}
      </ul>
    </section>
  );
}

function StarterRow(props: {
  starter: Starter;
  usual: string;
  choice: StarterChoice;
  choose: (choice: StarterChoice) => void;
}): JSX.Element {
  const { usual, choice, choose } = props;
  const { name, text } = props.starter;
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  /** With what is in the field: the choice may be older than a change that was just sent. */
  const save = (isOn: boolean, written = typed): void => {
    const own = written.trim() === '' ? text : written.trim();
    setTyped(own);
    choose({ ...(own !== usual && { text: own }), ...(!isOn && { isOff: true }) });
  };
  return (
    <li aria-label={name} class="starter">
      <div class="prov">
        <h3 class="grow cut">{name}</h3>
        <Switch
          label={t(($) => $.prompts.starters.shown, { name })}
          checked={choice.isOff !== true}
          set={save}
        />
      </div>
      {choice.isOff !== true && (
        <>
          <textarea
            class="area prose"
            rows={1}
            maxLength={LONGEST_STARTER}
            aria-label={t(($) => $.prompts.starters.text)}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onChange={({ currentTarget }) => save(true, currentTarget.value)}
          />
          {choice.text !== undefined && (
            <button type="button" class="btn quiet s" onClick={() => choose({})}>
              {t(($) => $.prompts.starters.restore)}
            </button>
          )}
        </>
      )}
    </li>
  );
}
