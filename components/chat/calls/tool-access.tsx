import type { JSX } from 'preact';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { PageAccess } from '../../composer/attach/page-access.tsx';

/** Under a call that found no access to a site: the way to give it, and with it to make the call once more. */
export function ToolAccess({ call, allowed }: { call: ToolCall; allowed: () => void }): JSX.Element {
  const url = call.result?.access;
  const tabId = tabOf(call);
  const page = {
    part: call.toolName === 'screenshot' ? ('screenshot' as const) : ('page' as const),
    ...(url && { url }),
    ...(tabId !== undefined && { tabId }),
  };
  return <PageAccess page={page} allowed={allowed} />;
}

/** The tab that the model named; where it named none, the one in front is meant, whichever that is by then. */
function tabOf({ edited, arguments: written, omittedArguments }: ToolCall): number | undefined {
  if (omittedArguments) return undefined;
  const { tab } = JSON.parse((edited ?? written).trim() || '{}') as { tab?: unknown };
  return tab === undefined ? undefined : Number(tab);
}
