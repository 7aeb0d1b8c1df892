import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { pretty, visible } from '../../../lib/state/shown-text.ts';
import type { SamplingContent, SamplingMessage } from '../../../lib/types/request.ts';
import { Media } from '../calls/content-block.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** One message of what a server wants the model asked. */
export function SamplingMessageView({ message }: { message: SamplingMessage }): JSX.Element {
  const role = t(($) => $.sampling.roles[message.role]);
  return (
    <section aria-label={role}>
      <h3>{role}</h3>
      {message.content.map((content, position) => (
        <Content key={position} content={content} />
      ))}
    </section>
  );
}

function Content({ content }: { content: SamplingContent }): JSX.Element {
  switch (content.type) {
    case 'text':
      return <SampledText text={content.text} />;
    case 'tool_use':
      return (
        <>
          <p class="small">{visible(t(($) => $.sampling.called, { name: content.name }))}</p>
          <SampledText text={pretty(JSON.stringify(content.input))} isCode />
        </>
      );
    case 'tool_result':
      return (
        <>
          <p class="small">{t(($) => $.sampling.result, { isError: content.isError })}</p>
          <SampledText text={content.text} />
        </>
      );
    default:
      return <Media block={content} />;
  }
}

/** What is longer is folded. */
const SHORT = 240;

export function SampledText({ text, isCode }: { text: string; isCode?: boolean }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const long = text.length > SHORT;
  return (
    <>
      <p class={isCode ? 'quoted plain mono' : 'quoted plain'}>
        {visible(long && !whole ? `${text.slice(0, SHORT)}…` : text)}
      </p>
      {long && (
        <button type="button" class="link small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? t(($) => $.sampling.less) : t(($) => $.sampling.more)}
        </button>
      )}
    </>
  );
}
