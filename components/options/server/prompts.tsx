import { MessageSquareText } from 'lucide';
import { GivenIcon } from '../../ui/given-icon.tsx';
import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Offer, Prompt } from '../../../lib/types/offer.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';
import { Empty, useFirstRows } from './offered.tsx';
import { PART, withPart } from '../../ui/with-part.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The prompts of one server, and what each wants to know. */
export function ServerPrompts(props: {
  server: Server;
  status: ServerStatus;
  offer: Offer | null;
}): JSX.Element {
  const { server, status, offer } = props;
  const prompts = offer?.prompts ?? [];
  const { shown, showAll } = useFirstRows(prompts);
  if (status.state === 'connected' && !offer)
    return <p class="blank muted">{t(($) => $.serverPage.reading)}</p>;
  if (prompts.length === 0) return <Empty server={server} status={status} of="prompts" />;
  return (
    <>
      <p class="lead">
        {withPart(
          t(($) => $.promptList.lead, { key: PART }),
          <kbd>/</kbd>,
        )}
      </p>
      <table class="grid framed offers" aria-label={t(($) => $.serverPage.tabs.prompts)}>
        <thead>
          <tr>
            <th scope="col">{t(($) => $.promptList.prompt)}</th>
            <th scope="col">{t(($) => $.promptList.arguments)}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((prompt) => (
            <PromptRow key={prompt.name} prompt={prompt} />
          ))}
        </tbody>
      </table>
      {showAll}
    </>
  );
}

function PromptRow({ prompt }: { prompt: Prompt }): JSX.Element {
  const { name, title, description, icons } = prompt;
  return (
    <tr>
      <td class="what wrap">
        <span class="tool-name">
          {icons && <GivenIcon icons={icons} otherwise={MessageSquareText} />}
          <code>{visible(name)}</code>
          {title !== undefined && title !== name && <span class="small muted">{visible(title)}</span>}
        </span>
        <span class="sub">{visible(description)}</span>
      </td>
      <td class="arguments wrap" data-label={t(($) => $.promptList.arguments)}>
        {prompt.arguments.length === 0 && (
          <span class="small subtle">{t(($) => $.promptList.noArguments)}</span>
        )}
        <ul class="arguments">
          {prompt.arguments.map((argument) => (
            <li key={argument.name} class="small">
              <code>{visible(argument.name)}</code>{' '}
              {argument.required && <span class="badge">{t(($) => $.promptList.required)}</span>}
              {argument.description !== '' && <span class="sub">{visible(argument.description)}</span>}
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}
