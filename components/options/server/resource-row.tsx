import { FileText } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Resource, ResourceTemplate } from '../../../lib/types/offer.ts';
import type { Server } from '../../../lib/types/setup.ts';
import { en } from '../../../locales/en-options.ts';
import { GivenIcon } from '../../ui/given-icon.tsx';
import { ResourcePreview, TemplatePreview } from './preview.tsx';

const words = en.resourceList;

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
        <td class="small subtle type wrap">{mimeType === undefined ? words.any : visible(mimeType)}</td>
        {!isTemplate && <td class="r num small subtle size">{size !== undefined && words.bytes(size)}</td>}
        <td class="r edit">
          <button
            type="button"
            class="btn s"
            aria-label={open ? words.hideOf(name) : words.previewOf(name)}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? words.hide : words.preview}
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
