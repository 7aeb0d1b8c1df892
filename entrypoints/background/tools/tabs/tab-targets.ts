import { keyIn, refsIn } from '../../../../lib/tools/page/actions/act-args.ts';
import { type OwnToolDeps, quoted } from '../../../../lib/tools/own/own-tool.ts';
import type { createPages } from '../../page/pages.ts';
import type { TabAccess } from './tab-access.ts';

/** A page that has not answered by then is busy. */
const DESCRIBED_MS = 10_000;

type TabTargetsDeps = Pick<TabAccess, 'tabOf'> & {
  pages: Pick<ReturnType<typeof createPages>, 'callEach'>;
  wait: (ms: number) => Promise<void>;
};

/** What a call would act on, for its card and for what it is judged by. */
export function createTargets({ tabOf, pages, wait }: TabTargetsDeps): OwnToolDeps['targetsOf'] {
  return async (call, args) => {
    const refs = refsIn(args);
    const key = typeof args['key'] === 'string' ? keyIn(args['key']) : null;
    const isKey = key !== null;
    // OK in a dialog may do what a form that is sent does.
    const isSent = args['submit'] === true || args['accept'] === true || breaksLine(args);
    const tab = await tabOf(call, args).catch(() => undefined);
    if (!tab) return { targets: {}, sites: [], submits: isSent || isKey };
    const told = pages.callEach(tab, 'describe', [refs, key]);
    // Of a page that does not answer the card shows the references alone, and nothing is done.
    const found = (await Promise.race([told, wait(DESCRIBED_MS)]).catch(() => undefined)) ?? [];
    const document = found.find((each) => each.document !== undefined)?.document;
    const title = tab.title === undefined ? {} : { title: quoted(tab.title) };
    const at = { tab: tab.id, ...title, ...(document !== undefined && { document }) };
    const holding = found.filter(({ targets }) => Object.keys(targets).length > 0);
    const sites = holding.flatMap((each) => each.sites);
    // What does not answer may be anything.
    const isSentByKey =
      isKey && (holding.length === 0 || (key === 'Enter' && holding.some((each) => each.sends)));
    const submits = isSent || isSentByKey || holding.some((each) => each.submits);
    const presses = args['files'] !== undefined && holding.some((each) => each.presses);
    const targets: Record<string, string> = Object.assign({}, ...holding.map((each) => each.targets));
    const downloads = found.some((each) => each.downloads);
    return { at, targets, sites, submits, downloads, presses };
  };
}

/** Whether what is typed has a line break: its key is Shift+Enter, which many pages take for Enter, and Enter in editors of code. */
const breaksLine = ({ text = '', fields = [] }: Record<string, unknown>): boolean =>
  [text, ...(Array.isArray(fields) ? fields.map((field) => Object(field)['value']) : [])].some((each) =>
    /[\r\n]/.test(String(each)),
  );
