import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { pretty } from '../../lib/state/shown-text.ts';
import type { ToolResult } from '../../lib/types/tool.ts';
import { Media, type ReadLink } from './media.tsx';
import { Raw } from './raw.tsx';

/** What came of a call: its data or its text, then what is neither. */
export function Result({ result, read }: { result: ToolResult; read?: ReadLink }): JSX.Element {
  const { text, structured, blocks = [], dropped, omitted } = result;
  // Text that is only for the person is not in what the model reads.
  const media = blocks.filter((block) => block.type !== 'text' || !text.includes(block.text));
  return (
    <>
      {structured !== undefined && text !== '' ? (
        <Formats structured={structured} text={text} />
      ) : (
        (text !== '' || structured !== undefined || media.length === 0) && (
          <Raw text={structured === undefined ? pretty(text) : jsonOf(structured)} />
        )
      )}
      {media.map((block, position) => (
        <Media key={position} block={block} {...(read && { read })} />
      ))}
      {omitted !== undefined && <p class="shot small subtle">{en.tool.omitted(omitted)}</p>}
      {dropped && <p class="shot small subtle">{en.tool.dropped}</p>}
    </>
  );
}

const jsonOf = (value: unknown): string => pretty(JSON.stringify(value) ?? '');

const FORMATS = ['structured', 'text'] as const;

/** The same result as data and as the text that the model reads. */
function Formats({ structured, text }: { structured: unknown; text: string }): JSX.Element {
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<(typeof FORMATS)[number]>('structured');
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const other = shown === 'text' ? 'structured' : 'text';
    setShown(other);
    tabs.current?.querySelector<HTMLElement>(`[data-format="${other}"]`)?.focus();
  };
  return (
    <>
      <div class="formats">
        <div class="seg" role="tablist" aria-label={en.tool.format} ref={tabs} onKeyDown={onKeyDown}>
          {FORMATS.map((format) => (
            <button
              key={format}
              type="button"
              role="tab"
              id={`${id}-${format}`}
              data-format={format}
              aria-selected={format === shown}
              aria-controls={`${id}-panel`}
              tabIndex={format === shown ? 0 : -1}
              onClick={() => setShown(format)}
            >
              {en.tool[format]}
            </button>
          ))}
        </div>
      </div>
      <div class="part-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        <Raw key={shown} text={shown === 'structured' ? jsonOf(structured) : pretty(text)} />
      </div>
    </>
  );
}
