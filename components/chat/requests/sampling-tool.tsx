import type { JSX } from 'preact';
import { pretty, visible } from '../../../lib/state/shown-text.ts';
import type { SamplingRequest } from '../../../lib/types/request.ts';
import { Raw } from '../message/raw.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** A tool that the server gives to the model: all that the model reads of it. */
export function SampledTool({ tool }: { tool: SamplingRequest['tools'][number] }): JSX.Element {
  const { name, description, inputSchema } = tool;
  return (
    <details class="sampled-tool">
      <summary class="mono">{visible(name)}</summary>
      <p class="plain">{description === '' ? t(($) => $.sampling.noDescription) : visible(description)}</p>
      <Raw text={pretty(JSON.stringify(inputSchema))} />
    </details>
  );
}
