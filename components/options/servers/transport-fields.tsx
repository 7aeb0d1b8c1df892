import { TriangleAlert } from 'lucide';
import type { JSX } from 'preact';
import type { Server } from '../../../lib/types/server.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { fieldsOf, TextArea, TextField } from '../../ui/fields.tsx';
import { HeadersField } from '../form/headers-field.tsx';
import { movedTo, type ServerDraft, type ServerFaults } from './input.ts';
import { StoredLines } from '../form/stored-lines.tsx';
import { t } from '../../../locales/texts/settings.ts';

export type FieldsProps = {
  server: Server | null;
  draft: ServerDraft;
  set: (change: Partial<ServerDraft>) => void;
  faults: ServerFaults;
  /** The server was asked, and takes no connection without them. */
  wantsHeaders?: boolean;
};

/** Where a server over Streamable HTTP or SSE is: all that is needed of most. */
export function AddressField(props: FieldsProps): JSX.Element {
  const { server, draft } = props;
  const help = server
    ? [t(($) => $.servers.origin), ...answersHelp(server)]
    : [t(($) => $.servers.fields.urlHelp)];
  const moved = movedTo(draft, server);
  return (
    <>
      <TextField
        label={t(($) => $.servers.fields.url)}
        {...fieldsOf(props)('url')}
        help={help.join(' ')}
        placeholder="https://mcp.example.com"
        mono
      />
      {moved === 'origin' && <Moves text={t(($) => $.servers.moves)} />}
      {moved === 'path' && <Moves text={t(($) => $.servers.movesPath)} />}
    </>
  );
}

/** With what such a server is asked. */
export function RequestFields(props: FieldsProps): JSX.Element {
  const { server, draft, set, faults } = props;
  const field = fieldsOf(props);
  const saved = server && server.transport !== 'stdio' ? server : null;
  const isAtFault = (['clientId', 'provider', 'providerClient'] as const).some(
    (name) => faults[name] !== undefined,
  );
  return (
    <>
      <HeadersField
        draft={draft}
        set={set}
        saved={saved?.headerNames ?? []}
        help={[t(($) => $.servers.fields.headersHelp), ...(server ? [] : [t(($) => $.servers.origin)])].join(
          ' ',
        )}
        invalid={faults.headers}
      />
      <details class="fold-field" open={draft.clientId + draft.provider !== '' || isAtFault}>
        <summary>{t(($) => $.servers.fields.client)}</summary>
        <div class="form">
          <p class="help">{t(($) => $.servers.fields.clientHelp)}</p>
          <div class="pair">
            <TextField label={t(($) => $.servers.fields.clientId)} {...field('clientId')} mono />
            <TextField
              label={t(($) => $.servers.fields.clientSecret)}
              type="password"
              {...field('clientSecret')}
              help={saved?.oauthClient?.hasSecret ? t(($) => $.servers.fields.secretKept) : undefined}
            />
          </div>
          <p class="help">{t(($) => $.servers.fields.providerHelp)}</p>
          <div class="pair">
            <TextField label={t(($) => $.servers.fields.provider)} {...field('provider')} mono />
            <TextField label={t(($) => $.servers.fields.providerClient)} {...field('providerClient')} mono />
          </div>
        </div>
      </details>
    </>
  );
}

export function ProgramFields(props: FieldsProps): JSX.Element {
  const { server, draft, set } = props;
  const field = fieldsOf(props);
  return (
    <>
      <div class="pair">
        <TextField label={t(($) => $.servers.fields.command)} {...field('command')} placeholder="npx" mono />
        <TextField label={t(($) => $.servers.fields.cwd)} {...field('cwd')} mono />
      </div>
      {movedTo(draft, server) === 'program' && <Moves text={t(($) => $.servers.movesProgram)} />}
      <TextArea
        label={t(($) => $.servers.fields.args)}
        {...field('args')}
        help={[t(($) => $.servers.fields.argsHelp), ...answersHelp(server)].join(' ')}
        rows={Math.min(Math.max(draft.args.split('\n').length, 3), 10)}
        code
      />
      <StoredLines
        label={t(($) => $.servers.fields.env)}
        {...field('env')}
        saved={server?.transport === 'stdio' ? server.envNames : []}
        forgetLabel={t(($) => $.servers.stored.forgetEnv)}
        forget={draft.forgetEnv}
        setForget={(forgetEnv) => set({ forgetEnv })}
        placeholder="KEY=value"
        help={t(($) => $.servers.fields.envHelp)}
      />
    </>
  );
}

/** That the address or some arguments hold what is kept elsewhere. */
const answersHelp = (server: FieldsProps['server']): string[] =>
  server?.answerNames
    ? [
        t(($) => $.servers.fields.answersHelp, {
          references: server.answerNames.map((id) => visible(`\${${id}}`)).join(', '),
        }),
      ]
    : [];

/** What saving takes away, before it is saved. */
function Moves({ text }: { text: string }): JSX.Element {
  return (
    <div class="notice moved small" role="note">
      <Icon of={TriangleAlert} />
      <p>{text}</p>
    </div>
  );
}
