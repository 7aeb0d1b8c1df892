import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AppError, fromWire } from '../../../lib/errors.ts';
import { installLinkIn } from '../../../lib/config-file/install-link.ts';
import { requestOrigins } from '../../../lib/gestures.ts';
import { TOOL_TIMEOUT_MS } from '../../../lib/types/server.ts';
import { focusMessage } from '../../composer/message-field.tsx';
import { completeAddress } from '../../options/servers/typed-address.ts';
import { useAction } from '../../options/form/use-action.ts';
import { WorkButton } from '../../options/form/work-button.tsx';
import { openSettings, usePanel } from '../../panel-context.ts';
import { giveSettingsText } from '../../settings-text.ts';
import '../../providers/add-key.css';
import { requireGranted } from '../../providers/use-add-key.ts';
import { FaultLine } from '../../ui/fault.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { t } from '../../../locales/texts/panel.ts';

/** Connects a server by its URL alone, without leaving the chat; whatever else one may need is in the settings. */
export function ConnectServer({ close }: { close: () => void }): JSX.Element {
  const { ask, setup } = usePanel();
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [wantsToken, setWantsToken] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const [added, setAdded] = useState<number>();
  const { busy, error, run, clear } = useAction();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useLayoutEffect(() => field.current?.focus(), []);
  const leave = (): void => {
    close();
    focusMessage();
  };
  useLayer(true, leave);
  // It was added in the settings meanwhile.
  const { href } = URL.parse(completeAddress(url)) ?? {};
  const isThere = setup.value?.servers.some(
    (server) => server.transport !== 'stdio' && href !== undefined && URL.parse(server.url)?.href === href,
  );
  useEffect(() => {
    if (error && added === undefined && isThere) leave();
  }, [isThere]);

  const connect = (typed: string): void => {
    const address = completeAddress(typed);
    if (busy) return;
    setMissing(address === '');
    if (address === '') return;
    setUrl(typed);
    if (!isAddress(address) || installLinkIn(typed)) return run(() => importInstead(typed));
    // First of all, while the gesture counts. Rejected: this was none.
    const granting = requestOrigins([address]).catch(() => null);
    run(async (isWanted) => {
      requireGranted(await granting, new URL(address).host);
      const found = await ask('addServer', {
        ...newServer(address),
        ...bearerHeader(token),
        key,
        find: true,
      });
      if (!isWanted()) return;
      setAdded(found.id);
      if (found.error && found.id === undefined) {
        const isLocked = found.error.code === 'server_unauthorized';
        if (isLocked) setWantsToken(true);
        throw fromWire({ ...found.error, fix: t(($) => $.connect[isLocked ? 'tokenFix' : 'notSaved']) });
      }
      if (found.error) throw fromWire(found.error);
      leave();
    });
  };
  /** A command, an install link or mcp.json, whose questions the settings have room for. */
  const importInstead = async (typed: string): Promise<void> => {
    const { readServerConfig } = await import('../../../lib/config-file/read-config.ts');
    try {
      readServerConfig(typed, []);
    } catch {
      throw new AppError({ code: 'invalid_url', message: t(($) => $.connect.noUrl) });
    }
    giveSettingsText(typed);
    openSettings('servers/import');
    leave();
  };
  /** What is pasted is meant as it is; a line breaks in no text field. */
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text').trim() ?? '';
    const isMeant = isAddress(completeAddress(text)) || installLinkIn(text) || /^\{|\n/.test(text);
    if (url !== '' || !isMeant) return;
    event.preventDefault();
    connect(text);
  };
  return (
    <form
      class="field"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        connect(url);
      }}
    >
      <label for={id}>{t(($) => $.connect.url)}</label>
      <div class="key-row">
        <input
          id={id}
          class="input mono"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          value={url}
          readOnly={busy}
          ref={field}
          aria-describedby={`${id}-words`}
          aria-invalid={(error ?? isMissing) && !wantsToken ? 'true' : undefined}
          onPaste={paste}
          onInput={(event) => {
            setUrl(event.currentTarget.value);
            setMissing(false);
            setWantsToken(false);
            clear();
          }}
        />
        <WorkButton class="primary" submit busy={busy}>
          {t(($) => $.addKey.go)}
        </WorkButton>
      </div>
      {wantsToken && <Token token={token} set={setToken} isReadOnly={busy} />}
      <div id={`${id}-words`}>
        {isMissing ? (
          <p class="help bad" role="alert">
            {t(($) => $.connect.empty)}
          </p>
        ) : error ? (
          <FaultLine error={error} />
        ) : (
          <p class="help">{t(($) => $.connect.help)}</p>
        )}
      </div>
      <p class="key-links">
        <button
          type="button"
          class="link small"
          onClick={() => openSettings(added === undefined ? 'servers/add' : `servers/${added}`)}
        >
          {t(($) => $.connect[added === undefined ? 'otherwise' : 'settings'])}
        </button>
        <button type="button" class="link small" onClick={leave}>
          {t(($) => $.actions.cancel)}
        </button>
      </p>
    </form>
  );
}

/** Of a server that takes no connection without one, and tells no way to sign in. */
function Token(props: { token: string; set: (token: string) => void; isReadOnly: boolean }): JSX.Element {
  const { token, set, isReadOnly } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <>
      <label for={id}>{t(($) => $.connect.token)}</label>
      <input
        id={id}
        class="input mono"
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={token}
        readOnly={isReadOnly}
        ref={field}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </>
  );
}

/** As the header that nearly all servers take it in (RFC 6750, section 2.1). */
function bearerHeader(token: string): { headers?: Record<string, string> } {
  const bare = token.trim().replace(/^Bearer\s+/i, '');
  return bare === '' ? {} : { headers: { Authorization: `Bearer ${bare}` } };
}

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/** A server with nothing but an address; it takes the name that it has itself. */
const newServer = (url: string) => ({
  transport: 'streamable-http' as const,
  url,
  name: new URL(url).host,
  isUnnamed: true,
  enabled: true,
  toolTimeout: TOOL_TIMEOUT_MS,
  trusted: false,
  oneAtATime: false,
});
