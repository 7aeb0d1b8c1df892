import { TriangleAlert } from 'lucide';
import { Fragment, type JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { askedUrl, type AskedUrl, askedUrls, deceits } from '../../../lib/state/chat/asked-url.ts';
import { jsonFault } from '../../../lib/state/chat/json-fault.ts';
import { GrowingArea } from '../../ui/growing-area.tsx';
import { Icon } from '../../ui/icon.tsx';
import { members, pretty, visible } from '../../../lib/state/shown-text.ts';
import { tierOf } from '../../../lib/types/tier.ts';
import type { NamedFile, Quote, ToolCall } from '../../../lib/types/tool.ts';
import { usePanel } from '../../panel-context.ts';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

/** The schema is asked once the user has stopped typing for so long. */
const CHECK_MS = 250;

export type ArgumentsState = {
  text: string;
  /** The text is not what the model wrote. */
  edited: boolean;
  /** The text is not what would run without a word about it. */
  changed: boolean;
  /** Characters that are not shown: what runs is the whole, which can't be edited then. */
  omitted: number;
  /** Why a call with these arguments could not run, in a sentence. */
  fault: string | null;
  type: (text: string) => void;
  reset: () => void;
  /** The worker did not take the arguments as they are. */
  refuse: (reason: string) => void;
};

/** What the user makes of a call's arguments: JSON is checked here and now, the tool's schema by the worker. */
export function useArguments(call: ToolCall): ArgumentsState {
  const { command } = usePanel();
  const omitted = call.omittedArguments ?? 0;
  const [original] = useState(() => pretty(call.arguments));
  // What would run as it is: a call that is asked about again may have been edited before.
  const [shown] = useState(() => pretty(call.edited ?? call.arguments));
  const [text, setText] = useState(shown);
  const [refusal, setRefusal] = useState<string | null>(null);
  const edited = text !== original;
  const changed = text !== shown;
  const json = changed ? jsonFault(text) : null;
  const asks = changed && json === null;

  useEffect(() => {
    if (!asks) return undefined;
    let current = true;
    const check = async (): Promise<void> => {
      const checked = await command('checkArguments', { callId: call.callId, arguments: text });
      if (current && checked?.reply) setRefusal(checked.reply);
    };
    const timer = setTimeout(() => void check(), CHECK_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asks, text, call.callId, command]);

  const type = (next: string): void => {
    setText(next);
    setRefusal(null);
  };
  return {
    text,
    edited,
    changed,
    omitted,
    fault: json ?? refusal,
    type,
    reset: () => type(original),
    refuse: setRefusal,
  };
}

/**
 * What the call would run with, each argument on a line of its own, a single one with its name if so wanted; what is cut
 * unfolds. None is left out, however many they are: it could be the one that matters.
 */
export function ArgumentLines(props: {
  /** JSON. */
  text: string;
  /** What of it others wrote. */
  quotes?: Quote[] | undefined;
  /** What elements of a page are, by the references among the arguments. */
  targets?: Record<string, string> | undefined;
  /** What the files are that it would give to a page. */
  files?: Record<string, NamedFile> | undefined;
  isOneLine?: boolean;
  isEdited?: boolean;
  edit?: () => void;
}): JSX.Element {
  const { text, quotes, targets = {}, files = {}, isOneLine, isEdited, edit } = props;
  const lines = members(text);
  const isNamed = lines?.some(({ name }) => name === 'ref');
  const only = isOneLine && lines?.length === 1 ? lines[0] : undefined;
  return (
    <div class="ask-arguments">
      {!lines || only ? (
        <div>
          <code dir="ltr">
            <Unfolding quotes={quotes} text={only ? `${only.name}: ${only.value}` : visible(text)} />
          </code>
          {only && <Addresses value={only.value} />}
          {only && <Targets value={only.value} targets={targets} />}
          {only?.name === 'key' && <Targets targets={targets} />}
        </div>
      ) : (
        <dl>
          {lines.map(({ name, value }, at) => (
            <div key={at}>
              <dt>
                <Unfolding text={name} />
              </dt>
              <dd dir="ltr">
                <Unfolding text={value} quotes={quotes} />
                <Addresses value={value} />
                <Targets value={value} targets={targets} />
                {name === 'key' && !isNamed && <Targets targets={targets} />}
                {name === 'files' && <Files text={text} files={files} />}
              </dd>
            </div>
          ))}
          {lines.length === 0 && (
            <div>
              <dt class="subtle">{t(($) => $.tool.none)}</dt>
            </div>
          )}
        </dl>
      )}
      {isEdited && <span class="badge">{t(($) => $.approval.edited)}</span>}
      {edit && (
        <button type="button" class="btn quiet s ask-arguments-edit" onClick={edit}>
          {t(($) => $.approval.edit)}
        </button>
      )}
    </div>
  );
}

/** Whom the addresses in an argument lead to. @param props.value JSON */
function Addresses({ value }: { value: string }): JSX.Element {
  return <Hosts of={useMemo(() => askedUrls(value), [value])} />;
}

/** The site that a call which reads, or acts on, a tab was judged by: it does so on no other, whatever becomes of the tab. */
export function ReadSite({ call: { reads = '', annotations } }: { call: ToolCall }): JSX.Element | null {
  if (reads === '') return null;
  const url = askedUrl(reads);
  return (
    <div class="ask-reads">
      <span class="small subtle">{t(($) => $.approval.tier[tierOf(annotations)])}</span>
      <div dir="ltr">
        {url.host === '' ? <code class="small">{visible(reads)}</code> : <Hosts of={[url]} />}
      </div>
    </div>
  );
}

/** Hosts as a browser reads them, and what may deceive about them. */
function Hosts({ of }: { of: AskedUrl[] }): JSX.Element {
  return (
    <>
      {of.map((url, at) => (
        <Fragment key={at}>
          <p class="ask-host">{url.host}</p>
          {deceits(url).map((warning) => (
            <p class="visit-warning small" key={warning}>
              <Icon of={TriangleAlert} small />
              <span>{t(($) => $.request.warnings[warning])}</span>
            </p>
          ))}
        </Fragment>
      ))}
    </>
  );
}

/** What the elements are that an argument names; without one that a key would go to. @param props.value JSON */
function Targets({ value, targets }: { value?: string; targets: Record<string, string> }): JSX.Element {
  const named = Object.entries(targets).filter(([ref]) => value?.includes(JSON.stringify(ref)) ?? true);
  return (
    <>
      {named.map(([ref, what]) => (
        <p class="ask-host" key={ref}>
          {visible(named.length > 1 ? `${ref}: ${what}` : what)}
        </p>
      ))}
    </>
  );
}

/** The files that a call names, as the page would get them. @param props.text JSON of all arguments */
function Files({ text, files }: { text: string; files: Record<string, NamedFile> }): JSX.Element {
  const { files: names } = JSON.parse(text) as { files: unknown };
  const named = Object.entries(files).filter(([as]) => Array.isArray(names) && names.includes(as));
  return (
    <>
      {named.map(([as, { name, size }]) => (
        <p class="ask-host" key={as}>
          {visible(name)}, {units.bytes(size)}
        </p>
      ))}
    </>
  );
}

/** More characters may not fit on a line of the narrowest panel. */
const LINE = 20;

/** One line, cut where it is longer; a press on it shows the whole. */
function Unfolding({ text, quotes = [] }: { text: string; quotes?: Quote[] | undefined }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const shown = quotes.length > 0 ? <Quoted text={text} quotes={quotes} /> : text;
  if (text.length <= LINE) return <span class="ask-value">{shown}</span>;
  return (
    <button
      type="button"
      class={isWhole ? 'ask-value' : 'ask-value cut'}
      aria-expanded={isWhole}
      onClick={() => setWhole(!isWhole)}
    >
      {shown}
    </button>
  );
}

/** Shorter pieces of what is spread over arguments stand anywhere. */
const SHORTEST = 4;

/** What others wrote of it is underlined, with whose it is. @param props.text JSON */
function Quoted({ text, quotes }: { text: string; quotes: Quote[] }): JSX.Element {
  const fromAt = new Map<number, string>();
  for (const { text: quote, from } of quotes) {
    const written = visible(JSON.stringify(quote).slice(1, -1));
    if (written.length < SHORTEST && text !== `"${written}"`) continue;
    for (let at = text.indexOf(written); at !== -1; at = text.indexOf(written, at + written.length))
      for (let each = at; each < at + written.length; each += 1) fromAt.set(each, from);
  }
  const runs: { from: string | undefined; start: number }[] = [];
  for (let at = 0; at < text.length; at += 1)
    if (at === 0 || fromAt.get(at) !== runs.at(-1)?.from) runs.push({ from: fromAt.get(at), start: at });
  return (
    <>
      {runs.map(({ from, start }, index) => {
        const piece = text.slice(start, runs[index + 1]?.start);
        return from === undefined ? (
          piece
        ) : (
          <u class="ask-quote" title={visible(from)} key={start}>
            {piece}
          </u>
        );
      })}
    </>
  );
}

export function ArgumentsField({ id, args }: { id: string; args: ArgumentsState }): JSX.Element {
  return (
    <div class="field">
      <div class="actions ask-label">
        <label class="grow small" for={id}>
          {t(($) => $.tool.arguments)}
        </label>
        {args.edited && (
          <>
            <span class="badge">{t(($) => $.approval.edited)}</span>
            <button class="btn quiet s" onClick={args.reset}>
              {t(($) => $.approval.reset)}
            </button>
          </>
        )}
      </div>
      <GrowingArea
        class="area"
        id={id}
        dir="ltr"
        spellcheck={false}
        readOnly={args.omitted > 0}
        value={args.text}
        onInput={(event) => args.type(event.currentTarget.value)}
        aria-invalid={args.fault !== null}
        {...(args.fault !== null && { 'aria-describedby': `${id}-fault` })}
      />
    </div>
  );
}
