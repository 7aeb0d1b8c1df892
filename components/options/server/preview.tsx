import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import { expandTemplate, templateArguments } from '../../../lib/uri-template.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';
import { Media } from '../../chat/calls/content-block.tsx';
import '../../chat/calls/tool-details.css';
import { TextField, useFormFocus } from '../../ui/fields.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { Asked } from './asked.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** What is in a resource, read anew each time. */
export function ResourcePreview({ serverId, uri }: { serverId: number; uri: string }): JSX.Element {
  const { command } = useSetupState();
  const [read, setRead] = useState<ContentBlock[] | WireError | null>(null);
  useEffect(() => {
    let isWanted = true;
    setRead(null);
    command('readResource', { serverId, uri }).then(
      (blocks) => isWanted && setRead(blocks),
      (failure: unknown) => isWanted && setRead(toWire(failure)),
    );
    return () => void (isWanted = false);
  }, [serverId, uri]);
  if (read === null) {
    return (
      <div data-asks>
        <p class="small subtle" role="status">
          {t(($) => $.resourceList.reading)}
        </p>
        <Asked isOurs={(request) => request.callId === null && request.serverId === serverId} />
      </div>
    );
  }
  return Array.isArray(read) ? <Content blocks={read} /> : <Problem error={read} />;
}

function Content({ blocks }: { blocks: ContentBlock[] }): JSX.Element {
  const { shown, cut } = useMemo(() => previewOf(blocks), [blocks]);
  if (blocks.length === 0) return <p class="small subtle">{t(($) => $.resourceList.empty)}</p>;
  return (
    <div class="part came">
      {shown.map((block, position) => (
        <Media key={position} block={block} />
      ))}
      {cut && (
        <p class="shot small subtle">{t(($) => $.resourceList.cut, { shown: cut.shown, all: cut.all })}</p>
      )}
    </div>
  );
}

/** Asks for the parts of a template, then shows what is at the address that they make. */
export function TemplatePreview(props: { serverId: number; uriTemplate: string }): JSX.Element {
  const { serverId, uriTemplate } = props;
  const asked = useMemo(() => templateArguments(uriTemplate), [uriTemplate]);
  const [values, setValues] = useState<Record<string, string>>({});
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [uri, setUri] = useState<string | null>(asked.length === 0 ? uriTemplate : null);
  const form = useFormFocus(faults);
  const submit = (event: Event): void => {
    event.preventDefault();
    const missing = asked.filter(({ name, required }) => required && (values[name] ?? '').trim() === '');
    setFaults(
      Object.fromEntries(
        missing.map(({ name }) => [name, t(($) => $.request.required, { label: visible(name) })]),
      ),
    );
    if (missing.length === 0) setUri(expandTemplate(uriTemplate, values));
  };
  return (
    <>
      {asked.length > 0 && (
        <form class="form parts" ref={form} onSubmit={submit} noValidate>
          {asked.map(({ name }) => (
            <TextField
              key={name}
              label={visible(name)}
              value={values[name] ?? ''}
              set={(value) => setValues({ ...values, [name]: value })}
              invalid={faults[name]}
            />
          ))}
          <button class="btn">{t(($) => $.resourceList.read)}</button>
        </form>
      )}
      {uri !== null && (
        <>
          {asked.length > 0 && (
            <p class="small subtle wrap">
              <code>{visible(uri)}</code>
            </p>
          )}
          <ResourcePreview key={uri} serverId={serverId} uri={uri} />
        </>
      )}
    </>
  );
}

/** Characters of a resource's text that a preview shows at most. */
const MOST = 20_000;

/** What of a resource is shown: long texts are cut, and `cut` says how many characters there were of the longest. */
export function previewOf(blocks: ContentBlock[]): {
  shown: ContentBlock[];
  cut?: { shown: number; all: number };
} {
  const longest = Math.max(0, ...blocks.map((block) => textOf(block).length));
  const shown = blocks.map((block): ContentBlock => {
    if (textOf(block).length <= MOST) return block;
    if (block.type === 'text') return { ...block, text: block.text.slice(0, MOST) };
    if (block.type !== 'resource') return block;
    return { ...block, resource: { ...block.resource, text: textOf(block).slice(0, MOST) } };
  });
  return longest > MOST ? { shown, cut: { shown: MOST, all: longest } } : { shown };
}

const textOf = (block: ContentBlock): string =>
  block.type === 'text' ? block.text : block.type === 'resource' ? (block.resource.text ?? '') : '';
