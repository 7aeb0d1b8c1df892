import { Search, Globe, Terminal } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { readRegistry } from '../../../lib/config-file/registry-entry.ts';
import { requestOrigins } from '../../../lib/gestures.ts';
import type { RegistryEntry, RegistryChoice } from '../../../lib/types/registry.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { urlFault } from '../form/address-input.ts';
import { TextField, useFormFocus } from '../../ui/fields.tsx';
import { Lockable } from '../form/managed.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { notAllowed } from '../form/use-granted.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import './registry.css';
import { Crumb, PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { openConfig } from '../servers/open-config.ts';
import { units } from '../../../locales/units.ts';

type Found = { query: string; entries: RegistryEntry[]; next?: string };

/** The page MCP registry: servers found by name, each with the ways to use it. Nothing is asked before a search. */
export function RegistryPage(): JSX.Element {
  const saved = useSetup().settings.registryUrl;
  const { command } = useSetupState();
  const [query, setQuery] = useState('');
  const [address, setAddress] = useState(saved);
  const [fault, setFault] = useState<string>();
  const [found, setFound] = useState<Found | null>(null);
  const action = useAction();
  const form = useFormFocus({ fault });

  const search = (before: Found | null): void => {
    if (action.busy) return;
    const url = address.trim();
    const wrong = urlFault(
      url,
      t(($) => $.servers.invalid.url),
    );
    setFault(wrong);
    if (wrong !== undefined) return;
    // First of all, while the click still counts.
    const granting = requestOrigins([url]);
    action.run(async (isWanted) => {
      if (!(await granting)) throw notAllowed(new URL(url).host);
      if (url !== saved) await command('saveSettings', { registryUrl: url });
      const asked = before?.query ?? query.trim();
      const { next: cursor } = before ?? {};
      const answer = await command('searchRegistry', {
        query: asked,
        ...(cursor !== undefined && { cursor }),
      });
      const page = readRegistry(answer);
      if (isWanted())
        setFound({ ...page, query: asked, entries: [...(before?.entries ?? []), ...page.entries] });
    });
  };
  return (
    <>
      <Crumb href="#servers">{t(($) => $.options.servers)}</Crumb>
      <PageHead title={t(($) => $.registry.title)} lead={t(($) => $.registry.lead)} />
      <form
        class="form short"
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          search(null);
        }}
      >
        <TextField label={t(($) => $.registry.query)} value={query} set={setQuery} />
        <details class="fold-field" open={fault !== undefined || undefined}>
          <summary>{t(($) => $.servers.fields.advanced)}</summary>
          <div class="form">
            <Lockable name="registryUrl">
              <TextField
                label={t(($) => $.registry.address)}
                value={address}
                set={setAddress}
                invalid={fault}
                help={t(($) => $.registry.addressHelp)}
                mono
              />
            </Lockable>
          </div>
        </details>
        <div class="form-foot">
          <WorkButton class="primary" submit busy={action.busy}>
            <Icon of={Search} />
            {t(($) => $.registry.search)}
          </WorkButton>
          <span class="help grow">{t(($) => $.options.asksFirst)}</span>
        </div>
      </form>
      {action.error && <Problem error={action.error} />}
      <section class="registry-results" aria-label={t(($) => $.registry.results)}>
        <p class="muted" role="status">
          {found && wordsFor(found)}
        </p>
        {found && found.entries.length > 0 && (
          <ul class="rows" aria-label={t(($) => $.registry.results)}>
            {found.entries.map((entry) => (
              <Entry key={entry.name} entry={entry} />
            ))}
          </ul>
        )}
        {found?.next !== undefined && address.trim() === saved && (
          <div class="toolbar">
            <WorkButton busy={action.busy} press={() => search(found)}>
              {t(($) => $.registry.more)}
            </WorkButton>
          </div>
        )}
      </section>
    </>
  );
}

function wordsFor({ query, entries, next }: Found): string {
  if (entries.length === 0) return t(($) => $.registry.none, { query: visible(query) });
  return t(($) => $.registry.found, { count: entries.length, more: next !== undefined });
}

/** A server of the registry, in its publisher's words, and the ways to use it. One opens the form that adds it. */
function Entry({ entry }: { entry: RegistryEntry }): JSX.Element {
  const { name, title, description, version, isDeprecated, website, choices } = entry;
  return (
    <li class="set registry-entry" aria-label={visible(name)}>
      <div class="registry-head">
        <strong class="wrap">{visible(title)}</strong>
        {version !== '' && <span class="small muted wrap">{visible(version)}</span>}
        {isDeprecated && <span class="badge warn">{t(($) => $.registry.deprecated)}</span>}
      </div>
      <p class="addr wrap" dir="ltr">
        {visible(name)}
      </p>
      {description !== '' && <p class="wrap">{visible(description)}</p>}
      {website !== undefined && (
        <a class="small wrap" href={website} target="_blank" rel="noopener noreferrer">
          {visible(website)}
        </a>
      )}
      {choices.length === 0 ? (
        <p class="small muted">{t(($) => $.registry.unsupported)}</p>
      ) : (
        <ul class="registry-choices">
          {choices.map((choice) => (
            <Choice key={choice.config} entry={entry} choice={choice} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Choice({ entry, choice }: { entry: RegistryEntry; choice: RegistryChoice }): JSX.Element {
  const { servers } = useSetup();
  const { by, what, leftOut, config } = choice;
  const isRemote = what.includes('://') || what.startsWith('{');
  return (
    <li>
      <button
        type="button"
        class="btn s"
        aria-label={t(($) => $.registry.use, { name: visible(entry.title), by: visible(by) })}
        onClick={() => openConfig(config, servers)}
      >
        <Icon of={isRemote ? Globe : Terminal} small />
        <span class="wrap">{visible(by)}</span>
      </button>
      <span class="addr wrap" dir="ltr">
        {visible(what)}
      </span>
      {leftOut.length > 0 && (
        <p class="small muted wrap">
          {t(($) => $.registry.leftOut, { names: units.commas(leftOut.map(visible)) })}
        </p>
      )}
    </li>
  );
}
