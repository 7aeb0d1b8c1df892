import { Terminal } from 'lucide';
import type { JSX } from 'preact';
import { fromWire } from '../../../lib/errors.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { needsAnswer } from '../../../lib/types/answers.ts';
import type { StdioServer } from '../../../lib/types/server.ts';
import { useGuard } from '../../chat/use-guard.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';
import { WorkButton } from '../form/work-button.tsx';
import './native-host.css';
import { t } from '../../../locales/texts/settings.ts';

/** What a server would start, all of it, before it is started for the first time or after it became another. */
export function LaunchNotice({ server }: { server: StdioServer }): JSX.Element {
  const { command } = useSetupState();
  const [allowing, leaving] = [useGranted(null), useAction()];
  const { root, guarded } = useGuard<HTMLElement>();
  const { id, args, cwd, envNames, answerNames } = server;
  const name = visible(server.name);
  const allow = (): void =>
    allowing.run(async () => {
      const { error } = await command('allowLaunch', server);
      // Why it does not connect is its status, which is shown in this notice’s place.
      if (error?.code === 'launch_changed') throw fromWire(error);
    });
  const error = allowing.error ?? leaving.error;
  return (
    <section class="launch block" ref={root} aria-label={t(($) => $.launch.title, { name })}>
      <div class="notice launch-notice">
        <Icon of={Terminal} />
        <div class="grow">
          <p>
            <strong>{t(($) => $.launch.title, { name })}</strong>
          </p>
          <p class="small muted">
            {t(($) => $.launch.lead)} {t(($) => $.launch.changed)}
          </p>
          <dl class="facts">
            <dt>{t(($) => $.launch.command)}</dt>
            <dd>
              <code>{inOneLine(server.command)}</code>
            </dd>
            <dt>{t(($) => $.launch.args)}</dt>
            <dd>
              {args.length > 0 ? <Arguments args={args} answers={answerNames} /> : t(($) => $.launch.noArgs)}
            </dd>
            <dt>{t(($) => $.launch.cwd)}</dt>
            <dd>{cwd === undefined ? t(($) => $.launch.home) : <code>{inOneLine(cwd)}</code>}</dd>
            <dt>{t(($) => $.launch.env)}</dt>
            <dd>
              {envNames.length > 0 ? (
                <Names names={envNames} open={server.openEnv} />
              ) : (
                t(($) => $.launch.noEnv)
              )}
            </dd>
          </dl>
          <div class="actions">
            <WorkButton class="primary" busy={allowing.busy} press={() => void guarded(async () => allow())}>
              {t(($) => $.launch.allow)}
            </WorkButton>
            <WorkButton busy={leaving.busy} press={() => leaving.run(() => command('disconnect', { id }))}>
              {t(($) => $.launch.off)}
            </WorkButton>
          </div>
        </div>
      </div>
      {error && <Problem error={error} />}
    </section>
  );
}

/** One a line, so that it is plain where each begins and ends. `answers`: ids of what they refer to. */
function Arguments({ args, answers = [] }: { args: string[]; answers?: string[] | undefined }): JSX.Element {
  return (
    <ol class="launch-args">
      {args.map((arg, position) => (
        <li key={position}>
          <code>{inOneLine(arg)}</code>
          {answers.some((id) => needsAnswer(arg, id)) && (
            <span class="subtle"> {t(($) => $.launch.stored)}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** `open`: the values of those that have no secret. */
function Names(props: { names: string[]; open: Record<string, string> | undefined }): JSX.Element {
  const { names, open = {} } = props;
  return (
    <ul class="launch-args">
      {names.map((name) => (
        <li key={name}>
          {Object.hasOwn(open, name) ? (
            <code>{inOneLine(`${name}=${open[name]}`)}</code>
          ) : (
            <>
              <code>{inOneLine(name)}</code> <span class="subtle">{t(($) => $.launch.stored)}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

const SIGN = '⏎';

/**
 * What is handed to a program, for a user who is to agree to it: a line end is a sign, which would else look like a
 * space, and nothing else is that sign.
 */
export const inOneLine = (text: string): string =>
  visible(text.replaceAll(SIGN, '\\u23ce')).replaceAll(/\r?\n/g, SIGN);
