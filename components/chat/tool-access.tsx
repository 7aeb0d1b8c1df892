import type { JSX } from 'preact';
import { PageAccess } from '../composer/page-access.tsx';

/** Under a call that found no access to a site: the way to give it, and with it to make the call once more. */
export function ToolAccess(props: { tool: string; url: string; allowed: () => void }): JSX.Element {
  const { tool, url, allowed } = props;
  return <PageAccess page={{ part: tool === 'screenshot' ? 'screenshot' : 'page', url }} allowed={allowed} />;
}
