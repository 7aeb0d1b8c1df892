import { bytesOf } from '../../../lib/base64.ts';
import { ExternalLink } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { Wish } from '../../../lib/state/apps/bridge.ts';
import type { DownloadedFile } from '../../../lib/state/apps/shapes.ts';
import { askedUrl } from '../../../lib/state/trust/address-warnings.ts';
import { joined } from '../../../lib/state/composer/draft.ts';
import { givenName, visible } from '../../../lib/state/shown-text.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { download } from '../../ui/download.ts';
import { LongText } from '../../ui/long-text.tsx';
import { FaultLine } from '../../ui/fault.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useGuard } from '../use-guard.ts';
import { AskedAddress } from '../requests/asked-address.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

type Answer = (isDone: boolean) => void;

/** What an app asks the user for, beneath its frame; nothing of it happens before they press its button. */
export function AppWish({ call, wish, answer }: { call: ToolCall; wish: Wish; answer: Answer }): JSX.Element {
  if (wish.type === 'link') return <LinkWish call={call} url={wish.url} answer={answer} />;
  if (wish.type === 'message') return <MessageWish call={call} text={wish.text} answer={answer} />;
  return <DownloadWish call={call} files={wish.files} answer={answer} />;
}

type FrameProps = { title: string; answer: Answer; children: ComponentChildren };

function Frame(
  props: FrameProps & {
    guard: ReturnType<typeof useGuard<HTMLDivElement>>;
    accept: ComponentChildren;
    fault?: WireError | null;
  },
): JSX.Element {
  const id = useId();
  const { root, guarded } = props.guard;
  return (
    <div class="ask" role="group" aria-labelledby={id} ref={root}>
      <div class="ask-head">
        <h2 id={id}>{props.title}</h2>
      </div>
      <div class="ask-body">
        {props.children}
        {props.fault && <FaultLine error={props.fault} />}
      </div>
      <div class="ask-foot request-foot">
        <div class="actions">
          {props.accept}
          <button type="button" class="btn" onClick={() => void guarded(async () => props.answer(false))}>
            {t(($) => $.request.decline)}
          </button>
        </div>
      </div>
    </div>
  );
}

/** With a button that does what the app wishes. Where that fails the user may press again. */
function DoingFrame(props: FrameProps & { label: string; run: () => Promise<void> }): JSX.Element {
  const { title, answer, label, run, children } = props;
  const guard = useGuard();
  const [fault, setFault] = useState<WireError | null>(null);
  const press = async (): Promise<void> => {
    try {
      await run();
      answer(true);
    } catch (error) {
      setFault(toWire(error));
    }
  };
  const accept = (
    <button type="button" class="btn primary" onClick={() => void guard.guarded(press)}>
      {label}
    </button>
  );
  return (
    <Frame guard={guard} title={title} answer={answer} fault={fault} accept={accept}>
      {children}
    </Frame>
  );
}

function LinkWish({ call, url, answer }: { call: ToolCall; url: string; answer: Answer }): JSX.Element {
  const guard = useGuard();
  const asked = askedUrl(url);
  const { host, opens } = asked;
  return (
    <Frame
      guard={guard}
      title={t(($) => $.app.link, { server: givenName(call.serverName) })}
      answer={answer}
      accept={
        opens && (
          <a
            class="btn primary open-page"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={(event) => {
              let isTaken = false;
              void guard.guarded(async () => {
                isTaken = true;
                // Not before the browser has followed the link.
                setTimeout(() => answer(true));
              });
              if (!isTaken) event.preventDefault();
            }}
          >
            <span>{t(($) => $.request.open, { host })}</span>
            <Icon of={ExternalLink} small />
          </a>
        )
      }
    >
      <div class="visit">
        <AskedAddress url={url} asked={asked} />
        {!opens && <p class="help">{t(($) => $.request.cantOpen)}</p>}
      </div>
    </Frame>
  );
}

function MessageWish({ call, text, answer }: { call: ToolCall; text: string; answer: Answer }): JSX.Element {
  const panel = usePanel();
  const take = async (): Promise<void> => {
    const { callId, conversationId } = call;
    const { text: taken, attachment } = await panel.ask('takeAppMessage', { callId, text });
    // The user may have turned to another chat. The chip stays: it may be that of words that were taken before.
    if (panel.conversationId.peek() !== conversationId) return;
    panel.attaching.add([attachment]);
    panel.type(joined(panel.text.peek(), taken));
  };
  return (
    <DoingFrame
      title={t(($) => $.app.message, { server: givenName(call.serverName) })}
      answer={answer}
      label={t(($) => $.app.take)}
      run={take}
    >
      <p class="plain asked" tabIndex={text.length > 400 ? 0 : undefined}>
        <LongText text={visible(text)} />
      </p>
      <p class="help">{t(($) => $.app.takeHelp)}</p>
    </DoingFrame>
  );
}

type Named = { name: string; size: number | null; file: DownloadedFile };

function DownloadWish(props: { call: ToolCall; files: DownloadedFile[]; answer: Answer }): JSX.Element {
  const { call, answer } = props;
  const panel = usePanel();
  const files = useRef<Named[]>(props.files.map(named)).current;
  const save = async (): Promise<void> => {
    for (const { name, file } of files) {
      const contents =
        file.type === 'resource'
          ? [file.resource]
          : firstOf(await panel.ask('readAppResource', { callId: call.callId, uri: file.uri }));
      // By a type of its own the browser would add an ending to the name that is shown.
      for (const each of contents) download(name, [partOf(each)], 'application/octet-stream');
    }
  };
  return (
    <DoingFrame
      title={t(($) => $.app.download, { server: givenName(call.serverName) })}
      answer={answer}
      label={t(($) => $.app.save)}
      run={save}
    >
      <ul class="app-files">
        {files.map(({ name, size }, position) => (
          <li key={position}>
            <strong class="wrap">{visible(name)}</strong>
            {size !== null && <span class="subtle"> {units.bytes(size)}</span>}
          </li>
        ))}
      </ul>
    </DoingFrame>
  );
}

type Content = { text?: string | undefined; blob?: string | undefined };

function named(file: DownloadedFile): Named {
  const uri = file.type === 'resource' ? file.resource.uri : file.uri;
  const given = file.type === 'resource_link' ? file.name : undefined;
  const name = (
    given ??
    uri
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '') ??
    uri
  ).slice(0, 200);
  if (file.type === 'resource_link') return { name, size: null, file };
  const { text, blob = '' } = file.resource;
  return { name, size: text === undefined ? Math.floor((blob.length * 3) / 4) : new Blob([text]).size, file };
}

/** What its own server gave, which is no less hostile: one file, as the card names one. */
const firstOf = ({ contents }: Record<string, unknown>): Content[] =>
  (Array.isArray(contents) ? contents : []).slice(0, 1).map((each: unknown) => {
    const { text, blob } = Object(each) as Record<string, unknown>;
    return {
      ...(typeof text === 'string' && { text }),
      ...(typeof blob === 'string' && { blob }),
    };
  });

const partOf = ({ text, blob = '' }: Content): BlobPart => text ?? bytesOf(blob);
