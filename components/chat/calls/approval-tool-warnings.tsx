import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ToolSummary } from '../../../lib/protocol/setup.ts';
import type { ToolReview } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { findToolAlike, serverAlike } from '../../../lib/state/trust/look-alike.ts';
import type { ToolCall } from '../../../lib/types/tool.ts';
import { t } from '../../../locales/texts/panel.ts';
import { usePanel } from '../../panel-context.ts';
import { DefinitionDiff } from '../../ui/definition-diff.tsx';
import { TrustWarning } from '../../ui/trust-warning.tsx';

/** What the user should know of a call's tool before they allow it: that it is another one than before, or may be taken for another. */
export function ApprovalWarnings({ call }: { call: ToolCall }): JSX.Element | null {
  const setup = usePanel().setup.value;
  const tool = setup?.tools.find((other) => other.offeredName === call.namespacedName);
  const review = useReview(tool);
  const alike = useMemo(() => setup && tool && findToolAlike(setup)(tool), [setup, tool]);
  const server = setup?.servers.find(({ id }) => id === tool?.serverId);
  const twin = setup && server ? serverAlike(server, setup) : undefined;
  if (!tool?.review && !tool?.isSkill && !alike && twin === undefined) return null;
  return (
    <div class="ask-body">
      {alike && (
        <TrustWarning
          text={t(($) => $.approval.alike, { name: visible(alike.name), server: visible(alike.server) })}
        />
      )}
      {twin !== undefined && (
        <TrustWarning text={t(($) => $.approval.serverAlike, { name: visible(twin) })} />
      )}
      {tool?.isSkill ? (
        <p class="small">{t(($) => $.skills.asked, { review: tool.review ?? 'new' })}</p>
      ) : (
        tool?.review && <TrustWarning text={t(($) => $.approval.review[tool.review ?? 'changed'])} />
      )}
      {review && <DefinitionDiff review={review} />}
    </div>
  );
}

/** Asked anew when the tool became another one once more. */
function useReview(tool: ToolSummary | undefined): ToolReview | undefined {
  const { command } = usePanel();
  const [review, setReview] = useState<ToolReview>();
  useEffect(() => {
    if (!tool?.review && !tool?.isSkill) return setReview(undefined);
    let isWanted = true;
    const { serverId, name } = tool;
    void command('listTools', { serverId, name, all: true }).then(
      (found) => isWanted && setReview(found?.reply[0]?.review),
    );
    return () => void (isWanted = false);
  }, [tool?.offeredName, tool?.review, tool?.tokens, tool?.description]);
  return review;
}
