import { Download, FileText } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import { pretty, visible } from '../../../lib/state/shown-text.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { isDrawable, isPlayable } from '../../../lib/types/shown-media.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';
import { Fault } from '../../ui/fault.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Picture, sizeOfBase64 } from '../../ui/picture.tsx';
import { Raw } from '../message/raw.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { phrases } from '../../../locales/phrases.ts';

/** Reads what a link names. @throws AppError */
export type ReadLink = (uri: string) => Promise<ContentBlock[]>;

/** A part of a result that is no text, or text with a name of its own. Nothing is loaded from anywhere by itself. */
export function Media({ block, read }: { block: ContentBlock; read?: ReadLink }): JSX.Element {
  switch (block.type) {
    case 'text':
      return <Raw text={pretty(block.text)} />;
    case 'image':
      return <Picture {...block} />;
    case 'audio':
      return <Sound {...block} />;
    case 'resource':
      return <Embedded {...block.resource} />;
    case 'resource_link':
      return <Link {...block} {...(read && { read })} />;
    case 'unknown':
      return (
        <>
          <p class="shot small subtle">{t(($) => $.tool.unknownBlock)}</p>
          <Raw text={pretty(JSON.stringify(block.value) ?? '')} />
        </>
      );
  }
}

function Sound({ data, mimeType }: { data: string; mimeType: string }): JSX.Element {
  const words = t(($) => $.tool.audio, { mimeType: visible(mimeType) });
  return (
    <div class="shot">
      <p class="small subtle">{words}</p>
      {isPlayable(mimeType) && (
        <audio controls preload="metadata" aria-label={words} src={`data:${mimeType};base64,${data}`} />
      )}
    </div>
  );
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

/** A file that came with the result. */
function Embedded({ uri, mimeType, text, blob }: Resource): JSX.Element {
  const name = nameOf(uri);
  const bytes = text === undefined ? sizeOfBase64(blob ?? '') : new TextEncoder().encode(text).length;
  // As text or as bytes, never as a page that a browser would draw.
  const href =
    text === undefined
      ? `data:application/octet-stream;base64,${blob ?? ''}`
      : `data:text/plain;charset=utf-8,${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
  return (
    <>
      <div class="shot file">
        <Icon of={FileText} />
        <div>
          <p class="file-name">
            <LongText text={name} />
          </p>
          <p class="small subtle file-name">
            <LongText text={visible(uri)} />
          </p>
          <p class="small subtle">{phrases.file(mimeType && visible(mimeType), bytes)}</p>
        </div>
        <a class="btn s" href={href} download={name} aria-label={t(($) => $.tool.save, { name })}>
          <Icon of={Download} small />
          {t(($) => $.actions.save)}
        </a>
      </div>
      {text !== undefined && <Raw text={pretty(text)} />}
      {blob !== undefined && mimeType !== undefined && isDrawable(mimeType) && (
        <Picture data={blob} mimeType={mimeType} />
      )}
      {blob !== undefined && mimeType !== undefined && isPlayable(mimeType) && (
        <Sound data={blob} mimeType={mimeType} />
      )}
    </>
  );
}

/** The last part of an address, as a file's name. */
function nameOf(uri: string): string {
  const [path = ''] = uri.split(/[?#]/, 1);
  const last = path.split('/').findLast((part) => part !== '');
  return visible(last ?? uri);
}

type LinkBlock = Extract<ContentBlock, { type: 'resource_link' }>;

/** A resource that the server only names: it is read when the user asks for it. */
function Link(props: LinkBlock & { read?: ReadLink }): JSX.Element {
  const { uri, description, mimeType, size, read } = props;
  const name = visible(props.title ?? props.name);
  const [state, setState] = useState<ContentBlock[] | 'reading' | WireError | null>(null);
  const fetchNow = async (): Promise<void> => {
    if (!read) return;
    setState('reading');
    setState(await read(uri).catch(toWire));
  };
  const reading = state === 'reading';
  const host = URL.parse(uri)?.host ?? '';
  return (
    <>
      <div class="shot file">
        <Icon of={FileText} />
        <div>
          <p class="file-name">
            <LongText text={name} />
          </p>
          {description !== undefined && (
            <p class="small muted file-name">
              <LongText text={visible(description)} />
            </p>
          )}
          <p class="small subtle file-name">
            <LongText text={host === '' ? visible(uri) : `${visible(host)}: ${visible(uri)}`} />
          </p>
          <p class="small subtle">{phrases.file(mimeType && visible(mimeType), size)}</p>
        </div>
        {read && !Array.isArray(state) && (
          <button
            type="button"
            class="btn s"
            aria-label={t(($) => $.tool.fetchOf, { name })}
            aria-disabled={reading}
            onClick={() => void (reading || fetchNow())}
          >
            {reading ? t(($) => $.tool.fetching) : t(($) => $.tool.fetch)}
          </button>
        )}
      </div>
      {Array.isArray(state) && <Fetched blocks={state} />}
      {state !== null && !Array.isArray(state) && state !== 'reading' && (
        <p class="shot small bad" role="alert">
          <Fault error={state} />
        </p>
      )}
    </>
  );
}

function Fetched({ blocks }: { blocks: ContentBlock[] }): JSX.Element {
  if (blocks.length === 0) return <p class="shot small subtle">{t(($) => $.tool.fetchedNothing)}</p>;
  return (
    <>
      {blocks.map((block, position) => (
        <Media key={position} block={block} />
      ))}
    </>
  );
}
