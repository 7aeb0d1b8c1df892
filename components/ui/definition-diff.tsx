import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ToolReview } from '../../lib/protocol/tools.ts';
import { definitionDiff, type DiffLine } from '../../lib/state/trust/definition-diff.ts';
import { t } from '../../locales/texts/panel.ts';
import { LongText } from './long-text.tsx';
import './definition-diff.css';

/** What a tool's server made of its definition since the user saw it; of a new tool all of it. */
export function DefinitionDiff({ review }: { review: ToolReview }): JSX.Element {
  const parts = useMemo(() => definitionDiff(review.before, review.now), [review]);
  const label = t(($) => $.approval.definition);
  return (
    <div class="definition-diff" tabIndex={0} role="group" aria-label={label}>
      {parts.map(({ part, lines }) => (
        <div key={part}>
          <p class="small subtle">{t(($) => $.approval.parts[part])}</p>
          {lines.map((line, at) => (
            <Line key={at} {...line} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The sign stands for those who see no colours, the element for those who see nothing. */
function Line({ type, text }: DiffLine): JSX.Element {
  if (type === 'old')
    return (
      <del>
        <LongText text={`− ${text}`} />
      </del>
    );
  if (type === 'new')
    return (
      <ins>
        <LongText text={`+ ${text}`} />
      </ins>
    );
  return (
    <span>
      <LongText text={type === 'gap' ? '…' : `  ${text}`} />
    </span>
  );
}
