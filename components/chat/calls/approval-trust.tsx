import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ToolSummary } from '../../../lib/protocol/setup.ts';
import type { ToolReview } from '../../../lib/protocol/tools.ts';
import type { ToolCall } from '../../../lib/types/tool.ts';
import { t } from '../../../locales/texts/panel.ts';
import { usePanel } from '../../panel-context.ts';
import { DefinitionDiff } from '../../ui/definition-diff.tsx';
import { TrustWarning } from '../../ui/trust-warning.tsx';

/** What the user should know of a call's tool before they allow it: that it is another one than before. */
export function ApprovalTrust({ call }: { call: ToolCall }): JSX.Element | null {
  const setup = usePanel().setup.value;
  const tool = setup?.tools.find((other) => other.offeredName === call.namespacedName);
  const review = useReview(tool);
  if (!tool?.review) return null;
  return (
    <div class="ask-body">
      <TrustWarning text={t(($) => $.approval.review[tool.review ?? 'changed'])} />
      {review && <DefinitionDiff review={review} />}
    </div>
  );
}

/** Asked anew when the tool became another one once more. */
function useReview(tool: ToolSummary | undefined): ToolReview | undefined {
  const { command } = usePanel();
  const [review, setReview] = useState<ToolReview>();
  useEffect(() => {
    if (!tool?.review) return undefined;
    let isWanted = true;
    const { serverId, name } = tool;
    void command('listTools', { serverId, name, all: true }).then(
      (found) => isWanted && setReview(found?.reply[0]?.review),
    );
    return () => void (isWanted = false);
  }, [tool?.offeredName, tool?.review, tool?.tokens, tool?.description]);
  return review;
}
