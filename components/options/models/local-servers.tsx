import { HardDrive } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { bestModel } from '../../../lib/state/composer/choice.ts';
import type { LocalServer } from '../../../lib/types/model.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { presetOf } from './provider-input.ts';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { requestOrigins } from '../../../lib/gestures.ts';

/** What the last look at this computer found: the servers that are not set up yet. */
export function LocalServers({ search }: { search: LocalSearch }): JSX.Element {
  const { providers } = useSetup();
  const found = (search.servers ?? []).filter(({ state }) => state === 'found');
  const fresh = (search.servers ?? []).filter(
    (server) => !providers.some((provider) => sameAddress(provider.baseUrl, server.baseUrl)),
  );
  return (
    <>
      <p class="sr" role="status">
        {search.busy && t(($) => $.local.looking)}
        {!search.busy &&
          search.servers &&
          (found.length === 0
            ? t(($) => $.local.foundNone)
            : t(($) => $.local.found, {
                names: units.commas(found.map((server) => presetOf(server.preset).name)),
              }))}
      </p>
      {search.refused && (
        <p class="notice warn block" role="alert">
          <span>{t(($) => $.local.refused)}</span>
        </p>
      )}
      {search.error && <Problem error={search.error} />}
      {fresh.length > 0 && (
        <section class="block" aria-label={t(($) => $.local.title)}>
          <h2>{t(($) => $.local.title)}</h2>
          <ul class="rows" aria-label={t(($) => $.local.title)}>
            {fresh.map((server) => (
              <ServerRow key={server.preset} server={server} search={search} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function ServerRow({ server, search }: { server: LocalServer; search: LocalSearch }): JSX.Element {
  const { command } = useSetupState();
  const adding = useAction();
  const { preset, baseUrl } = server;
  const { name } = presetOf(preset);
  const best = server.state === 'found' ? bestModel(server.models) : null;
  return (
    <li aria-label={name}>
      <div class="prov">
        <Icon of={HardDrive} />
        <div class="grow">
          <h3 class={best ? '' : 'muted'}>{name}</h3>
          <p class="wrap">{wordsFor(server, best?.id)}</p>
        </div>
        {best ? (
          <WorkButton
            class="s"
            busy={adding.busy}
            label={t(($) => $.local.addServer, { name })}
            press={() =>
              adding.run(async () => {
                await command('saveProvider', { name, preset, baseUrl, model: best.id });
              })
            }
          >
            {t(($) => $.local.add)}
          </WorkButton>
        ) : (
          <WorkButton class="s" busy={search.busy} press={search.look}>
            {t(($) => $.local.again)}
          </WorkButton>
        )}
      </div>
      {adding.error && (
        <div class="outcome">
          <Problem error={adding.error} />
        </div>
      )}
    </li>
  );
}

function wordsFor(server: LocalServer, best: string | undefined): string {
  const address = new URL(server.baseUrl).origin;
  if (server.state === 'absent') return t(($) => $.local.absent, { address });
  if (server.state === 'locked')
    return t(($) => $.local.locked, { name: presetOf(server.preset).name, address });
  return best === undefined
    ? t(($) => $.local.noModels, { address })
    : t(($) => $.local.has, { count: server.models.length, best });
}

/** Where model servers listen on the user's own computer. */
const HERE = 'http://127.0.0.1/';

/** The search for model servers on this computer, made only when the user asks for it. */
export function useLocalSearch() {
  const { command } = useSetupState();
  const action = useAction();
  const [refused, setRefused] = useState(false);
  const [servers, setServers] = useState<LocalServer[] | null>(null);
  const look = (): void => {
    if (action.busy) return;
    // First of all, while the click still counts.
    const granting = requestOrigins([HERE]);
    setRefused(false);
    action.run(async () => {
      if (await granting) setServers(await command('findLocalServers'));
      else setRefused(true);
    });
  };
  return {
    busy: action.busy,
    error: action.error,
    /** The browser was not allowed to look. */
    refused,
    /** null before the first search. */
    servers,
    /** Looks, after asking the browser: call it in a click. */
    look,
    /** True when the last look found a server at this address. */
    isFound: (baseUrl: string): boolean =>
      servers?.some((server) => server.state === 'found' && sameAddress(server.baseUrl, baseUrl)) ?? false,
  };
}

type LocalSearch = ReturnType<typeof useLocalSearch>;

/** True when two base addresses lead to the same server, whichever way this computer is called. */
export function sameAddress(one: string, other: string): boolean {
  const plain = (url: string): string =>
    // oxlint-disable-next-line portside/linear-regex -- an address that the user gave
    url.replace(/\/+$/, '').replace(/^http:\/\/(localhost|\[::1\])(?=[:/]|$)/, 'http://127.0.0.1');
  return plain(one) === plain(other);
}
