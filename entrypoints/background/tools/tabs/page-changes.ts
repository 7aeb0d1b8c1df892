import { browser } from 'wxt/browser';
import { AppError } from '../../../../lib/errors.ts';
import type { PageFunctions } from '../../../../lib/tools/page/page.ts';
import { isReadable, seenFrames } from '../../../../lib/tools/page/reading/frame-readings.ts';
import type { PageTab } from '../../../../lib/types/page.ts';
import type { createPages } from '../../page/pages.ts';

/** Milliseconds between two looks at a page. */
const LOOK_MS = 200;
/** Between the first looks, at which a page that shows its whole response at once is done. */
const EARLY_LOOK_MS = 30;
const EARLY_LOOKS = 2;
/** Looks without any change after which none is expected. */
const UNCHANGED_LOOKS = 5;
/** Looks without a further change after which a page that changed is quiet. */
const QUIET_LOOKS = 2;
const MOST_LOOKS = 15;
/** Looks at a tab that loads another page. */
const LOADING_LOOKS = 50;
/** Milliseconds in which a look is answered; a frame that hangs is asked no more. */
const COUNT_MS = 1_000;
/** Milliseconds in which a page tells what changed. */
const CHANGES_MS = 5_000;
/** Between two looks whether what may be a clock, or a feed, changes again. */
const CLOCK_LOOK_MS = 700;
/** Words that go on, and what can't be used meanwhile, say that a page is not done. */
const NOT_DONE = /^\+.*(…|\.\.\.|\[disabled\])/m;

type FrameChanges = ReturnType<PageFunctions['changesSince']>[];

const readableIn = (found: FrameChanges, origins: string[]) =>
  seenFrames(found.flatMap((each) => each ?? [])).filter((each) => isReadable(each, origins));

/** What is seen to have changed; `busy`: the page does not answer; null: another document is there. */
export type PageChanges = 'busy' | null | ReturnType<typeof readableIn>;

export const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'page_busy';

const orBusy = (error: unknown): 'busy' | FrameChanges => (isBusy(error) ? 'busy' : []);

/** Whether a page shows something that came, and nothing that says that more will come. */
const isDone = (seen: ReturnType<typeof readableIn>): boolean =>
  seen.some(({ text }) => text !== '') &&
  seen.every((each) => !each.isBusy && !each.isLeft && !each.doubtfulMs && !NOT_DONE.test(each.text));

/** Measures what an action changed in a page. */
export function createChangeMeter(
  pages: Pick<ReturnType<typeof createPages>, 'call'>,
  wait: (ms: number) => Promise<void>,
) {
  /**
   * What changed since `mark`, once the page is quiet, does not answer, or has given way to another one.
   * @param id that of the action, by which the page was marked
   * @param origins whose frames may be told of
   * @param isRechecked the page looks later whether what was done still holds: no early look is enough
   */
  return async (tab: PageTab, id: string, origins: string[], isRechecked: boolean): Promise<PageChanges> => {
    let allFrames = true;
    const changes = (isLate = false) => pages.call(tab, 'changesSince', allFrames, [id, isLate], CHANGES_MS);
    const counts = () =>
      pages.call(tab, 'countChanges', allFrames, [id], COUNT_MS).catch((error: unknown) => {
        if (isBusy(error)) allFrames = false;
        return [];
      });
    let last = 0;
    let same = 0;
    for (let look = -EARLY_LOOKS, loading = 0; look < MOST_LOOKS && loading < LOADING_LOOKS;) {
      await wait(look < 0 ? EARLY_LOOK_MS : LOOK_MS);
      const now = await browser.tabs.get(tab.id).catch(() => undefined);
      if (!now) return null;
      if (now.status === 'loading') {
        loading += 1;
        continue;
      }
      const counted = await counts();
      const [main = null] = counted;
      if (counted.length > 0 && main === null) return null;
      const count = counted.reduce<number>((sum, each) => sum + (each ?? 0), 0);
      same = count === last ? same + 1 : 0;
      last = count;
      look += 1;
      if (look === 0) {
        const early = count > 0 && same > 0 && !isRechecked ? await changes().catch(() => []) : [];
        const seen = early[0] ? readableIn(early, origins) : [];
        if (isDone(seen)) return seen;
        same = count > 0 ? -1 : 0;
      }
      if (look > 0 && same >= (count === 0 ? UNCHANGED_LOOKS : QUIET_LOOKS)) break;
    }
    let found = await changes().catch(orBusy);
    const doubtfulMs = (): number =>
      found === 'busy' ? 0 : Math.max(0, ...found.map((each) => each?.doubtfulMs ?? 0));
    for (let waited = 0; waited < doubtfulMs(); waited += CLOCK_LOOK_MS) {
      await wait(CLOCK_LOOK_MS);
      found = await changes(true).catch(orBusy);
    }
    if (found === 'busy') return found;
    return found[0] ? readableIn(found, origins) : null;
  };
}
