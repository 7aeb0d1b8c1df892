import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ModelSummary } from '../../../lib/protocol/setup.ts';
import type { Traits, Learned } from '../../../lib/types/model.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { SelectField, TextField, fieldsOf, useFormFocus } from '../../ui/fields.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { go } from '../route.ts';
import { TestButton, useModelTest, TestResult } from './model-test.tsx';
import {
  checkTraits,
  draftOf,
  flags,
  foundOf,
  prices,
  sizes,
  type Said,
  type TraitsDraft,
  type TraitsFaults,
} from './traits-input.ts';
import { useAction } from '../form/use-action.ts';
import { useDraft } from '../form/use-draft.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** Without what is only the computer's way of counting: 0.42 for 0.42000000000000004. */
const plain = (number: number): string => String(Number(number.toPrecision(12)));

/** One model's details: a test of it, and what the user says of it instead of what was found. */
export function ModelDetail(props: {
  provider: Provider;
  model: ModelSummary;
  close: () => void;
}): JSX.Element {
  const { provider, model, close } = props;
  const { providerId, id } = model;
  const { command } = useSetupState();
  const { draft, set, forget } = useDraft(`models/${providerId}/${id}`, () => draftOf(model.chosen));
  const [faults, setFaults] = useState<TraitsFaults>({});
  const form = useFormFocus(faults);
  const save = useAction();
  const test = useModelTest(provider, id);

  const giveUp = (): void => {
    forget();
    close();
  };
  const saveChosen = (said: { chosen: Traits; forget?: true }): void =>
    save.run(async (isWanted) => {
      await command('setModel', { providerId, id, ...said });
      forget();
      if (isWanted()) close();
    });
  const submit = (event: Event): void => {
    event.preventDefault();
    const checked = checkTraits(draft);
    save.clear();
    if ('faults' in checked) return setFaults(checked.faults);
    setFaults({});
    saveChosen(checked);
  };

  return (
    <form
      class="form detail-form"
      ref={form}
      aria-label={t(($) => $.modelTable.editModel, { model: id })}
      onSubmit={submit}
      noValidate
    >
      <TraitFields draft={draft} set={set} faults={faults} found={foundOf(model)} />
      <LearnedLine model={model} />
      <TestResult
        asking={test.busy ? t(($) => $.models.testing, { model: id }) : null}
        result={test.result}
        failure={test.error}
        edit={() => void go('models', provider.id)}
      />
      {save.error && <Problem error={save.error} />}
      <div class="actions">
        <WorkButton class="primary" submit busy={save.busy}>
          {t(($) => $.options.save)}
        </WorkButton>
        <TestButton label={t(($) => $.modelTable.testModel, { model: id })} test={test} start={test.start} />
        <button type="button" class="btn quiet" onClick={giveUp}>
          {t(($) => $.options.cancel)}
        </button>
        <span class="grow" />
        {Object.keys(model.chosen).length > 0 && (
          <button type="button" class="btn quiet" onClick={() => saveChosen({ chosen: {}, forget: true })}>
            {t(($) => $.traits.reset)}
          </button>
        )}
      </div>
    </form>
  );
}

/** What refusals taught, and the way to take it back: a server may have been mended meanwhile. */
function LearnedLine({ model }: { model: ModelSummary }): JSX.Element {
  const { providerId, id, learned } = model;
  const { command } = useSetupState();
  const forgetting = useAction();
  const told = learnedWords(learned);
  return (
    <>
      {told.length > 0 && (
        <div class="learned">
          <p class="small">{t(($) => $.learned.line, { told: told.join('; ') })}</p>
          <WorkButton
            class="s"
            busy={forgetting.busy}
            label={t(($) => $.learned.forgetOf, { model: id })}
            press={() => forgetting.run(() => command('setModel', { providerId, id, forget: true }))}
          >
            {t(($) => $.learned.forget)}
          </WorkButton>
        </div>
      )}
      {forgetting.error && <Problem error={forgetting.error} />}
    </>
  );
}

function TraitFields(props: {
  draft: TraitsDraft;
  set: (change: Partial<TraitsDraft>) => void;
  faults: TraitsFaults;
  found: Traits;
}): JSX.Element {
  const { draft, set, found } = props;
  const field = fieldsOf(props);
  const number = (name: (typeof sizes)[number] | (typeof prices)[number], asFound: number | undefined) => (
    <TextField
      key={name}
      label={t(($) => $.traits[name])}
      type="number"
      {...field(name)}
      placeholder={asFound === undefined ? t(($) => $.traits.notFound) : plain(asFound)}
    />
  );
  return (
    <>
      <div class="three">
        {flags.map((flag) => (
          <SelectField<Said>
            key={flag}
            label={t(($) => $.traits[flag])}
            value={draft[flag]}
            options={{
              '': t(($) => $.traits.asFound, {
                found: found[flag] === undefined ? 'none' : String(found[flag]),
              }),
              yes: t(($) => $.traits.yes),
              no: t(($) => $.traits.no),
            }}
            set={(value) => set({ [flag]: value })}
          />
        ))}
      </div>
      <div class="three">{sizes.map((size) => number(size, found[size]))}</div>
      <div class="field">
        <div class="three">{prices.map((price) => number(price, found.price?.[price]))}</div>
        <p class="help">{t(($) => $.traits.priceHelp)}</p>
      </div>
    </>
  );
}

/** What a model's refusals taught, each in a few words; what they did not is not there. */
export function learnedWords({ traits, dropped, renamed, quirks }: Learned): string[] {
  return [
    ...(traits?.tools === false ? [t(($) => $.learned.noTools)] : []),
    ...(traits?.vision === false ? [t(($) => $.learned.noVision)] : []),
    ...(traits?.contextWindow
      ? [t(($) => $.learned.reads, { tokens: units.window(traits.contextWindow) })]
      : []),
    ...(dropped ?? []).map(droppedWords),
    ...Object.entries(renamed ?? {}).map(([name, other]) => t(($) => $.learned.renamed, { name, other })),
    ...Object.entries(quirks ?? {})
      .filter(([, on]) => on)
      .map(([name]) => quirkWords(name)),
  ];
}

/** @param entry a parameter's name, or `name=value` where only this value is refused */
function droppedWords(entry: string): string {
  const [name = '', value] = entry.split('=');
  return value === undefined
    ? t(($) => $.learned.dropped, { name })
    : t(($) => $.learned.droppedValue, { name, value });
}

/** What lib/models/request-quirks.ts does differently, by its names. */
export function quirkWords(name: string): string {
  const quirks: Record<string, string> = t(($) => $.learned.quirks);
  return quirks[name] ?? name;
}
