import { Check, LoaderCircle, X } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { CheckStep, DoctorStep } from '../../../lib/types/native-host.ts';
import { checkStep } from '../../../locales/check-steps.ts';
import { Icon } from '../../ui/icon.tsx';
import { t } from '../../../locales/texts/settings.ts';

export type ShownStep = DoctorStep & { cause?: string };

/** A check of a program, in words. */
export const shownSteps = (steps: CheckStep[]): ShownStep[] =>
  steps.map((step) => ({ ok: step.ok, ...checkStep(step) }));

/** Steps of a check, each with what is right, or what is wrong and how to mend it. `children`: a step under way. */
export function Steps(props: {
  label: string;
  steps: ShownStep[];
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <ul class="steps" aria-label={props.label}>
      {props.steps.map((step, position) => (
        <Step key={position} step={step} />
      ))}
      {props.children}
    </ul>
  );
}

function Step({ step: { ok, text, cause, fix } }: { step: ShownStep }): JSX.Element {
  return (
    <li>
      <Icon of={ok ? Check : X} small class={ok ? 'ok' : 'bad'} />
      <div class="wrap">
        <p>
          <span class="sr">{ok ? t(($) => $.nativeHostPage.ok) : t(($) => $.nativeHostPage.fault)}: </span>
          {visible(text)}
        </p>
        {fix !== undefined && <p class="muted">{visible(fix)}</p>}
        {cause !== undefined && <pre class="subtle">{visible(cause)}</pre>}
      </div>
    </li>
  );
}

export function StepUnderWay({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <li>
      <Icon of={LoaderCircle} small spins />
      <span>{children}</span>
    </li>
  );
}
