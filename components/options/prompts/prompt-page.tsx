import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { promptVariables } from '../../../lib/state/composer/saved-prompts.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import { TextArea, TextField, useFormFocus } from '../form/fields.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { go } from '../route.ts';
import { useAction } from '../form/use-action.ts';
import { useDraft } from '../form/use-draft.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { SaveFoot } from '../form/save-foot.tsx';
import type { Commands } from '../../../lib/protocol/commands.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** One saved prompt, or a new one. */
export function PromptPage({ item }: { item: 'add' | number }): JSX.Element {
  const { prompts } = useSetup();
  const prompt = prompts.find((other) => other.id === item) ?? null;
  return (
    <>
      <Crumb href="#prompts">{t(($) => $.prompts.title)}</Crumb>
      {item !== 'add' && !prompt ? (
        <p class="muted">{t(($) => $.prompts.gone)}</p>
      ) : (
        <>
          <PageHead title={prompt ? prompt.name : t(($) => $.prompts.add)} lead={t(($) => $.prompts.lead)} />
          <PromptForm prompt={prompt} />
        </>
      )}
    </>
  );
}

function PromptForm({ prompt }: { prompt: SavedPrompt | null }): JSX.Element {
  const { command } = useSetupState();
  const { prompts } = useSetup();
  const { draft, set, forget } = useDraft(`prompts/${prompt?.id ?? 'add'}`, () => ({
    name: prompt?.name ?? '',
    text: prompt?.text ?? '',
  }));
  const [faults, setFaults] = useState<PromptFaults>({});
  const form = useFormFocus(faults);
  const save = useAction();
  const asked = promptVariables(draft.text).map((each) => each.name);
  const checked = checkPrompt(draft, prompts, prompt?.id);
  /** What was found wrong, as long as it still is. */
  const wrong = (field: keyof PromptFaults): string | undefined =>
    faults[field] && 'faults' in checked ? checked.faults[field] : undefined;
  const submit = (event: Event): void => {
    event.preventDefault();
    save.clear();
    if ('faults' in checked) return setFaults(checked.faults);
    setFaults({});
    save.run(async (isWanted) => {
      await command('savePrompt', checked.input);
      forget();
      if (isWanted()) await go('prompts');
    });
  };
  return (
    <form class="form short" ref={form} onSubmit={submit} noValidate>
      <TextField
        label={t(($) => $.prompts.fields.name)}
        value={draft.name}
        set={(name) => set({ name })}
        invalid={wrong('name')}
        help={t(($) => $.prompts.nameHelp)}
      />
      <TextArea
        label={t(($) => $.prompts.fields.text)}
        value={draft.text}
        set={(text) => set({ text })}
        invalid={wrong('text')}
        help={
          asked.length > 0
            ? t(($) => $.prompts.asksFor, { names: units.commas(asked) })
            : t(($) => $.prompts.asksNothing)
        }
        rows={8}
      />
      {save.error && <Problem error={save.error} />}
      <SaveFoot busy={save.busy} back="#prompts" forget={forget} />
    </form>
  );
}

type PromptFaults = { name?: string; text?: string };

/** What is typed as a command, or what is wrong with it, by field. Two prompts of one name could not be told apart. */
function checkPrompt(
  draft: { name: string; text: string },
  prompts: SavedPrompt[],
  id: number | undefined,
): { input: Parameters<Commands['savePrompt']>[0] } | { faults: PromptFaults } {
  const [name, text] = [draft.name.trim(), draft.text.trim()];
  const isTaken = prompts.some((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase());
  const faults: PromptFaults = {
    ...(isTaken && { name: t(($) => $.prompts.invalid.taken) }),
    ...(name === '' && { name: t(($) => $.prompts.invalid.name) }),
    ...(text === '' && { text: t(($) => $.prompts.invalid.text) }),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return { input: { name, text, ...(id !== undefined && { id }) } };
}
