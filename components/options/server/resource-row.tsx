import { FileText } from 'lucide';
import { GivenIcon } from '../../ui/given-icon.tsx';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Resource, ResourceTemplate } from '../../../lib/types/offer.ts';
import type { Server } from '../../../lib/types/server.ts';
import { ResourcePreview, TemplatePreview } from './preview.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** One resource or template, and under it, when it is open, what is in it. */
export function ResourceRow(props: {
  server: Server;
  resource: Resource | ResourceTemplate;
  address: string;
  isTemplate?: boolean;
}): JSX.Element {
  const { server, resource, address, isTemplate = false } = props;
  const [open, setOpen] = useState(false);
  const { title, description, mimeType, icons } = resource;
  const name = visible(title ?? resource.name);
  const size = 'size' in resource ? resource.size : undefined;
  return (
    <>
      <tr class={open ? 'open' : undefined}>
        <td class="what wrap">
          <span class="tool-name">
            {icons && <GivenIcon icons={icons} otherwise={FileText} />}
            <span>{name}</span>
          </span>
          {description !== '' && <span class="sub">{visible(description)}</span>}
        </td>
        <td class="address wrap">
          <code class="subtle">{visible(address)}</code>
        </td>
        <td class="small subtle type wrap">
          {mimeType === undefined ? t(($) => $.resourceList.any) : visible(mimeType)}
        </td>
        {!isTemplate && <td class="r num small subtle size">{size !== undefined && units.bytes(size)}</td>}
        <td class="r edit">
          <button
            type="button"
            class="btn s"
            aria-label={
              open ? t(($) => $.resourceList.hideOf, { name }) : t(($) => $.resourceList.previewOf, { name })
            }
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? t(($) => $.resourceList.hide) : t(($) => $.resourceList.preview)}
          </button>
        </td>
      </tr>
      {open && (
        <tr class="detail">
          <td colSpan={isTemplate ? 4 : 5}>
            {isTemplate ? (
              <TemplatePreview serverId={server.id} uriTemplate={address} />
            ) : (
              <ResourcePreview serverId={server.id} uri={address} />
            )}
          </td>
        </tr>
      )}
    </>
  );
}
