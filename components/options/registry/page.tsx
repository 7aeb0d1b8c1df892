import { Search } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { readRegistry } from '../../../lib/config-file/registry-entry.ts';
import { requestOrigins } from '../../../lib/gestures.ts';
import type { RegistryEntry } from '../../../lib/types/registry.ts';
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
import { Entry } from './entry.tsx';
import './registry.css';
import { Crumb, PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';

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
