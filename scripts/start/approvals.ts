import type { Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownRules } from '../../lib/types/tools/own-tool-rules.ts';
import type { RunLine } from './run-lines.ts';

type Required = Extract<RunLine, { type: 'approval_required' }>;

/** Milliseconds. An approval's buttons ignore input for the first 500, so a press may have to be repeated. */
const betweenPresses = 600;
const glance = 50;

/**
 * Answers an approval in the panel by pressing its button until the run says that it is resolved. An unknown outcome is
 * skipped, and what is asked of the user declined, as a note to keep: there is none who could know, or do it.
 */
export async function pressApproval(
  panel: Page,
  required: Required,
  approve: 'all' | 'none',
  isResolved: () => boolean,
): Promise<void> {
  const allows =
    required.wait === 'hand_over'
      ? 'Decline'
      : ownRules(required)?.alwaysAsks
        ? 'No'
        : approve === 'all'
          ? 'Allow once'
          : 'Deny';
  const button =
    required.wait !== 'unknown'
      ? panel.getByRole('alertdialog').getByRole('button', { name: allows, exact: true })
      : panel
          .getByRole('group', { name: `Tool call: ${required.toolName}`, exact: true })
          .getByRole('button', { name: 'Skip', exact: true });
  for (let waited = betweenPresses; !isResolved(); waited += glance) {
    if (waited >= betweenPresses && (await button.first().isVisible())) {
      await button.first().click();
      waited = 0;
    }
    await sleep(glance);
  }
}
