import type { AttachmentSource } from '../lib/types/attachment.ts';
import type { Traits } from '../lib/types/model.ts';
import type { PagePart } from '../lib/types/page.ts';
import type { SamplingRequest } from '../lib/types/request.ts';
import type { CallStatus } from '../lib/types/tools/tool-call.ts';
import { dates } from './dates.ts';
import { t } from './texts/panel.ts';
import { units } from './units.ts';

type Part = string | false | 0 | undefined;
const said = (parts: Part[]): string[] => parts.filter((part) => typeof part === 'string');

/** So many tools are named. */
const FEW_TOOLS = 3;

/** The order in which a folded step tells how its calls ended. */
const ENDS: Exclude<CallStatus, 'success'>[] = [
  'error',
  'timeout',
  'cancelled',
  'denied',
  'unknown',
  'running',
  'approved',
  'pending',
];

/** What is said in as many parts as there is something to say. */
export const phrases = {
  /** What a model can do, in a few words. */
  traits: ({ chat, tools, vision, reasoning, contextWindow }: Traits): string => {
    if (chat === false) return t(($) => $.composer.can.noChat);
    return units.commas(
      said([
        tools && t(($) => $.composer.can.tools),
        tools === false && t(($) => $.composer.can.noTools),
        vision && t(($) => $.composer.can.vision),
        reasoning && t(($) => $.composer.can.reasoning),
        contextWindow && units.window(contextWindow),
      ]),
    );
  },
  /** What the proposed model can do, as far as it is known. */
  proposed: (model: string, { tools, contextWindow, largestContext }: Traits): string => {
    const context = contextWindow && units.context(contextWindow, largestContext);
    if (!context) return tools ? t(($) => $.start.proposedTools, { model }) : '';
    return tools
      ? t(($) => $.start.proposedBoth, { model, context })
      : t(($) => $.start.proposedContext, { model, context });
  },
  /** What is known of a file: its type and its size in bytes. */
  file: (mimeType: string | undefined, size: number | undefined): string =>
    units.commas(said([mimeType, size !== undefined && units.bytes(size)])),
  /** Where an attachment comes from: of a part of a page its address and when it was read. */
  source: (source: AttachmentSource): string => {
    switch (source.type) {
      case 'page': {
        const part = t(($) => $.pages.kinds[source.part]);
        return t(($) => $.pages.from, { part, url: source.url, time: dates.near(source.at) });
      }
      case 'file':
        return t(($) => $.attachments.fromFile, { size: units.bytes(source.size) });
      case 'app':
        return t(($) => $.attachments.fromApp, { server: source.serverName });
      case 'prompt':
        return t(($) => $.attachments.fromPrompt, { server: source.serverName, name: source.name });
      default:
        return t(($) => $.attachments.fromResource, { server: source.serverName, uri: source.uri });
    }
  },
  /** A page by its title; of a part of it, which. */
  page: (part: PagePart, title: string): string =>
    part === 'page' ? title : t(($) => $.pages.titled, { part: t(($) => $.pages.kinds[part]), title }),
  /** How a server wants the model asked, as far as it is otherwise than usual. */
  sampling: ({ temperature, stopSequences = [], toolChoice }: SamplingRequest): string =>
    said([
      temperature !== undefined && t(($) => $.sampling.temperature, { temperature }),
      stopSequences.length > 0 &&
        t(($) => $.sampling.stops, {
          sequences: units.commas(stopSequences.map((each) => JSON.stringify(each))),
        }),
      toolChoice === 'required' && t(($) => $.sampling.mustCall),
      toolChoice === 'none' && t(($) => $.sampling.mayNotCall),
    ]).join(' '),
  /** Used echo · 0.1 s; 5 steps: echo ×4, add · 52 s · 1 error, 1 timeout. */
  steps: (tally: {
    statuses: CallStatus[];
    called: { name: string; count: number }[];
    ms?: number;
  }): string => {
    const { statuses, called, ms } = tally;
    const names = called
      .slice(0, FEW_TOOLS)
      .map(({ name, count }) => (count > 1 ? t(($) => $.card.times, { name, count }) : name));
    if (called.length > FEW_TOOLS)
      names.push(t(($) => $.card.moreTools, { count: called.length - FEW_TOOLS }));
    const wrong = ENDS.flatMap((status) => {
      const count = statuses.filter((each) => each === status).length;
      return count === 0 ? [] : [t(($) => $.card.ended, { count, status: t(($) => $.tool.status[status]) })];
    });
    const count = statuses.length;
    const [name = '', ...more] = names;
    const what =
      count === 1 && name !== '' && more.length === 0
        ? statuses[0] === 'denied'
          ? name // it was not used
          : t(($) => $.card.usedOne, { name })
        : name === ''
          ? t(($) => $.card.steps, { count })
          : t(($) => $.card.stepsOf, { count, names: units.commas(names) });
    return said([what, ms !== undefined && units.duration(ms), wrong.length > 0 && units.commas(wrong)]).join(
      ' · ',
    );
  },
};
