import { Globe, Terminal } from 'lucide';
import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { RegistryChoice, RegistryEntry } from '../../../lib/types/registry.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetup } from '../options-context.ts';
import { openConfig } from '../servers/open-config.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** A server of the registry, in its publisher's words, and the ways to use it. One opens the form that adds it. */
export function Entry({ entry }: { entry: RegistryEntry }): JSX.Element {
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
