import type { JSX } from 'preact';
import { argumentValues, type Completion } from '../../../lib/state/composer/completion.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { PromptArgument } from '../../../lib/types/offer.ts';
import { useLayer } from '../../ui/overlay/layers.ts';
import { listKeys, useReached } from './list-keys.ts';
import { t } from '../../../locales/texts/panel.ts';

type Props = {
  id: string;
  argument: PromptArgument;
  values: Record<string, string>;
  completion: Completion;
  missing: boolean;
  change: (value: string) => void;
};

/** An argument with what its server suggests for it. */
export function ArgumentField(props: Props): JSX.Element {
  const { id, argument, values, completion, missing, change } = props;
  const { name, required } = argument;
  const label = visible(argument.title ?? name);
  const typed = values[name] ?? '';
  const told = completion.suggestions.value;
  const suggestions = told?.argument === name ? told.values : [];
  const [active, point] = useReached(suggestions.join('\n'), -1);
  const open = suggestions.length > 0;
  useLayer(open, completion.clear);

  const take = (value: string | undefined): void => {
    if (value === undefined) return;
    change(value);
    completion.clear();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const list = { active, count: suggestions.length, point, choose: () => take(suggestions[active]) };
    if (listKeys(event, list) || event.key !== 'Tab' || event.shiftKey || typed === '') return;
    // Tab completes what was begun; once nothing is left to complete it goes on to the next field.
    const begun = suggestions.find((value) => value !== typed && startsWith(value, typed));
    if (begun === undefined || suggestions.includes(typed)) return;
    event.preventDefault();
    take(begun);
  };
  const described = [argument.description && `${id}-help`, missing && `${id}-fault`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label} {!required && <span class="subtle">{t(($) => $.request.optional)}</span>}
      </label>
      <input
        class="input"
        id={id}
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        required={required}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-invalid={missing}
        aria-describedby={described}
        aria-activedescendant={open && active >= 0 ? `${id}-${active}` : undefined}
        value={typed}
        onFocus={() => completion.ask(name, values)}
        onBlur={completion.clear}
        onInput={({ currentTarget: { value } }) => {
          change(value);
          completion.ask(name, argumentValues(values, { [name]: value }));
        }}
        onKeyDown={onKeyDown}
      />
      {open && (
        <Suggestions id={id} label={label} values={suggestions} active={active} point={point} take={take} />
      )}
      {open && told?.hasMore && <p class="help">{t(($) => $.offers.moreSuggestions)}</p>}
      {argument.description !== '' && (
        <p class="help" id={`${id}-help`}>
          {visible(argument.description)}
        </p>
      )}
      {missing && (
        <p class="help bad" id={`${id}-fault`}>
          {t(($) => $.request.required, { label })}
        </p>
      )}
    </div>
  );
}

const startsWith = (value: string, typed: string): boolean =>
  value.toLowerCase().startsWith(typed.toLowerCase());

function Suggestions(props: {
  id: string;
  label: string;
  values: string[];
  active: number;
  point: (position: number) => void;
  take: (value: string) => void;
}): JSX.Element {
  const { id, label, values, active, point, take } = props;
  return (
    <div
      class="suggestions"
      role="listbox"
      id={`${id}-list`}
      aria-label={t(($) => $.offers.suggestions, { label })}
      onMouseDown={(event) => event.preventDefault()}
    >
      {values.map((value, position) => (
        <div
          key={value}
          class="option"
          role="option"
          id={`${id}-${position}`}
          aria-selected={position === active}
          onClick={() => take(value)}
          onMouseMove={() => point(position)}
        >
          <span class="cut">{visible(value)}</span>
        </div>
      ))}
    </div>
  );
}
