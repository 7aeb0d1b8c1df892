import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { GrantKey, ListedGrant } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { en } from '../../../locales/en-options.ts';
import { ConfirmRemove } from '../confirm-remove.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../problem.tsx';
import { TableHead } from '../table-head.tsx';
import { useAction } from '../use-action.ts';
import { useAsked } from '../use-asked.ts';
import { WorkButton } from '../work-button.tsx';

const words = en.permissions;
const columns = ['tool', 'where', 'given', 'used', 'revoke'] as const;

/** What tools were allowed beforehand. */
export function Grants(): JSX.Element {
  const { command, goingOn } = useSetupState();
  const { answer, error } = useAsked(() => command('listGrants'), [useSetup(), goingOn.value]);
  const action = useAction();
  const title = useRef<HTMLHeadingElement>(null);
  const revoke = (grants?: GrantKey[]): void =>
    action.run(async () => {
      await command('revokeGrants', grants ? { grants } : {});
      title.current?.focus(); // the button is gone
    });
  const problem = error ?? action.error;
  return (
    <section class="block" aria-label={words.grants}>
      <div class="toolbar">
        <h2 class="grow" tabIndex={-1} ref={title}>
          {words.grants}
        </h2>
        {answer && answer.length > 0 && (
          <ConfirmRemove
            key={answer.length}
            question={words.revokeAllQuestion(answer.length)}
            verb={words.revokeAll}
            remove={() => revoke()}
          />
        )}
      </div>
      {problem && <Problem error={problem} />}
      {answer?.length === 0 && <p class="muted">{words.noGrants}</p>}
      {answer && answer.length > 0 && (
        <table class="grid framed grants" aria-label={words.grants}>
          <TableHead columns={columns} names={words.columns} end="used" heard="revoke" />
          <tbody>
            {answer.map((grant) => (
              <Row
                key={`${grant.serverId} ${grant.toolName} ${grant.conversationId ?? ''}`}
                grant={grant}
                busy={action.busy}
                revoke={() => revoke([keyOf(grant)])}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const keyOf = ({ serverId, toolName, conversationId }: ListedGrant): GrantKey => ({
  serverId,
  toolName,
  ...(conversationId !== undefined && { conversationId }),
});

function Row(props: { grant: ListedGrant; busy: boolean; revoke: () => void }): JSX.Element {
  const { toolName, serverName, chatTitle, given, isVoid } = props.grant;
  const id = useId();
  const where = chatTitle === undefined ? words.always : words.inChat(visible(chatTitle));
  return (
    <tr>
      <td class="what" id={id}>
        <code>{visible(toolName)}</code>
        <span class="sub">{visible(serverName)}</span>
      </td>
      <td class="small where">
        {where}
        {isVoid && <span class="sub">{words.isVoid}</span>}
      </td>
      <td class="small subtle num given">
        {given ? <time dateTime={given.at}>{words.dayOf(given.at, new Date())}</time> : words.unknown}
      </td>
      <td class="r small subtle num used">{given ? words.used(given.used) : words.unknown}</td>
      <td class="r revoke">
        <WorkButton class="s" busy={props.busy} describedBy={id} press={props.revoke}>
          {words.revoke}
        </WorkButton>
      </td>
    </tr>
  );
}
