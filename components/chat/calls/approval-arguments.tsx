import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { jsonFault } from '../../../lib/state/chat/json-fault.ts';
import { inQuotes, members, visible } from '../../../lib/state/shown-text.ts';
import { askedUrls } from '../../../lib/state/trust/address-warnings.ts';
import type { Quote } from '../../../lib/types/tools/approval.ts';
import type { NamedFile, ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Addresses, MOST_HOSTS } from './approval-addresses.tsx';

/**
 * What the call would run with, each argument on a line of its own, a single one with its name if so wanted; what is cut
 * unfolds. None is left out, however many they are: it could be the one that matters.
 */
export function ArgumentLines(props: {
  /** JSON. */
  text: string;
  /** What is known of its arguments. */
  call: Pick<ToolCall, 'taint' | 'targets' | 'titles' | 'files'>;
  isOneLine?: boolean;
  isEdited?: boolean;
  edit?: () => void;
}): JSX.Element {
  const { text, call, isOneLine, isEdited, edit } = props;
  const { taint: { quotes } = {}, targets = {}, titles = {}, files = {} } = call;
  const all = members(text);
  // A key that comes twice is shown twice, as it came.
  const hasFields = all?.filter(({ name }) => name === 'fields').length === 1;
  const fields = hasFields ? fieldLines(text, targets) : null;
  const lines = all?.flatMap((line) => (fields && line.name === 'fields' ? fields : [line]));
  const isNamed = all?.some(({ name }) => name === 'ref');
  const only = isOneLine && lines?.length === 1 ? lines[0] : undefined;
  const hosts = useMemo(() => askedUrls(text).length, [text]);
  const isFlood = lines !== undefined && (lines.length > MOST_LINES || hosts > MOST_HOSTS);
  // What an element is stands for its reference.
  const isTold = ({ name, value }: { name: string; value: string }): boolean =>
    REFERENCES.test(name) && Object.keys(targets).some((ref) => value === JSON.stringify(ref));
  return (
    <div class="ask-arguments">
      {isFlood ? (
        <div>
          <p class="plain mono" dir="ltr">
            <Quoted
              text={lines.map(({ name, value }) => `${name}: ${value}`).join('\n')}
              quotes={quotes ?? []}
            />
          </p>
          <Addresses value={text} />
        </div>
      ) : !lines || only ? (
        <div>
          {!(only && isTold(only)) && (
            <code dir="ltr">
              <Unfolding quotes={quotes} text={only ? `${only.name}: ${only.value}` : visible(text)} />
            </code>
          )}
          {only && Object.hasOwn(titles, only.name) && <Title text={titles[only.name] ?? ''} />}
          {only && <Addresses value={only.value} />}
          {only && <Targets value={only.value} targets={targets} />}
          {only?.name === 'key' && <Targets targets={targets} />}
        </div>
      ) : (
        <dl class={fields ? 'stacked' : ''}>
          {lines.map(({ name, value }, at) => (
            <div key={at}>
              <dt>
                <bdi dir="ltr">
                  <Unfolding text={name} quotes={quotes} />
                </bdi>
                {Object.hasOwn(titles, name) && <Title text={titles[name] ?? ''} />}
              </dt>
              <dd dir="ltr">
                {!isTold({ name, value }) && <Unfolding text={value} quotes={quotes} />}
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
          {t(($) => $.actions.edit)}
        </button>
      )}
    </div>
  );
}

const REFERENCES = /^(ref|from|to)$/;
/** More arguments, as only a flood has them, stand in one text: what each line can do would hold up the panel. */
const MOST_LINES = 500;

/** In quotation marks: they are the server's words. */
const Title = ({ text }: { text: string }): JSX.Element => (
  <span class="subtle small"> {inQuotes(visible(text).replaceAll(/\s+/g, ' ').trim())}</span>
);

export type FormArguments = { fields: { ref: string; value: string }[] };

/** The fields that a call would fill in; null where there is more, or less, to each. @param text JSON */
export function formIn(text: string): FormArguments | null {
  if (jsonFault(text) !== null) return null;
  const form = JSON.parse(text) as Partial<FormArguments>;
  const isForm =
    Array.isArray(form.fields) &&
    form.fields.length > 0 &&
    form.fields.every((field: unknown) => {
      const { ref, value, ...more } = Object(field) as Record<string, unknown>;
      return typeof ref === 'string' && typeof value === 'string' && Object.keys(more).length === 0;
    });
  return isForm ? (form as FormArguments) : null;
}

/** The fields of a page by what they are, with what each would hold. */
function fieldLines(text: string, targets: Record<string, string>): { name: string; value: string }[] | null {
  const { fields } = formIn(text) ?? {};
  if (!fields?.every(({ ref }) => Object.hasOwn(targets, ref))) return null;
  return fields.map(({ ref, value }) => ({
    name: visible(targets[ref] ?? ref),
    value: visible(JSON.stringify(value)),
  }));
}

/** What the elements are that an argument names; without one that a key would go to. @param props.value JSON */
function Targets({ value, targets }: { value?: string; targets: Record<string, string> }): JSX.Element {
  const named = Object.entries(targets).filter(([ref]) => value?.includes(JSON.stringify(ref)) ?? true);
  return (
    <>
      {named.map(([ref, what]) => (
        <p class="ask-host" key={ref}>
          <bdi dir="ltr">{visible(named.length > 1 ? `${ref}: ${what}` : what)}</bdi>
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
  const shown = <Quoted text={text} quotes={quotes} isCut={!isWhole} />;
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

/** Of each quote what is looked for, once for all arguments. */
const sought = new WeakMap<Quote, string>();

/** As it stands in JSON that is shown. At its ends there may be less of what pads than where it stands now. */
function writtenOf(quote: Quote): string {
  const written = sought.get(quote) ?? visible(JSON.stringify(quote.text.trim()).slice(1, -1));
  sought.set(quote, written);
  return written;
}

/** What others wrote of it is underlined, with whose it is. @param props.text JSON, or with `isPlain` words */
export function Quoted({
  text,
  quotes,
  isPlain,
  isCut = false,
}: {
  text: string;
  quotes: Quote[];
  isPlain?: boolean;
  isCut?: boolean;
}): JSX.Element {
  const runs = useMemo(() => quotedRuns(text, quotes, isPlain), [text, quotes, isPlain]);
  const draw = (begin: number, end: number): ComponentChildren =>
    runs.flatMap(({ from, start }, index) => {
      const piece = text.slice(Math.max(start, begin), Math.min(runs[index + 1]?.start ?? end, end));
      if (piece === '') return [];
      return from === undefined ? (
        piece
      ) : (
        <u class="ask-quote" title={visible(from)} key={start}>
          {piece}
        </u>
      );
    });
  return <LongText text={text} isCut={isCut} draw={draw} />;
}

/** Runs of characters of one source. */
function quotedRuns(text: string, quotes: Quote[], isPlain = false) {
  /** Of each character its quote, counted from 1. */
  const by = new Uint32Array(text.length);
  for (const [index, quote] of quotes.entries()) {
    const written = isPlain ? visible(quote.text.trim()) : writtenOf(quote);
    // Blanks alone, such as an indentation, are found everywhere, and at their end again.
    if (written === '' || (written.length < SHORTEST && text !== `"${written}"`)) continue;
    for (let at = text.indexOf(written); at !== -1; at = text.indexOf(written, at + written.length))
      by.fill(index + 1, at, at + written.length);
  }
  const runs: { from: string | undefined; start: number }[] = [];
  for (const [start, index] of by.entries()) {
    const from = quotes[index - 1]?.from;
    if (start === 0 || from !== runs.at(-1)?.from) runs.push({ from, start });
  }
  return runs;
}
