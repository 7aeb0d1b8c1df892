import type { ComponentChildren, JSX } from 'preact';
import { FileText } from 'lucide';
import { useState } from 'preact/hooks';
import type { Offer, Resource, ResourceTemplate } from '../../../lib/types/offer.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';
import { Empty, useFirstRows } from './offered.tsx';
import { PART, withPart } from '../../ui/with-part.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { GivenIcon } from '../../ui/given-icon.tsx';
import { visible } from '../../../lib/state/shown-text.ts';
import { ResourcePreview, TemplatePreview } from './preview.tsx';
import { units } from '../../../locales/units.ts';

/** The resources and templates of one server, each with a look into it. */
export function ServerResources(props: {
  server: Server;
  status: ServerStatus;
  offer: Offer | null;
}): JSX.Element {
  const { server, status, offer } = props;
  if (status.state === 'connected' && !offer)
    return <p class="blank muted">{t(($) => $.serverPage.reading)}</p>;
  const { resources, templates } = offer ?? { resources: [], templates: [] };
  if (resources.length + templates.length === 0)
    return <Empty server={server} status={status} of="resources" />;
  return (
    <>
      <p class="lead">
        {withPart(
          t(($) => $.resourceList.lead, { key: PART }),
          <kbd>@</kbd>,
        )}{' '}
        {templates.length > 0 && t(($) => $.resourceList.leadTemplates)}
      </p>
      {resources.length > 0 && (
        <Table name={t(($) => $.resourceList.resources)} what={t(($) => $.resourceList.resource)} sized>
          {resources.map((resource) => (
            <ResourceRow key={resource.uri} server={server} resource={resource} address={resource.uri} />
          ))}
        </Table>
      )}
      {templates.length > 0 && (
        <Table name={t(($) => $.resourceList.templates)} what={t(($) => $.resourceList.template)}>
          {templates.map((template) => (
            <ResourceRow
              key={template.uriTemplate}
              server={server}
              resource={template}
              address={template.uriTemplate}
              isTemplate
            />
          ))}
        </Table>
      )}
    </>
  );
}

function Table(props: {
  name: string;
  what: string;
  /** Its rows have a size. */
  sized?: boolean;
  children: ComponentChildren[];
}): JSX.Element {
  const { name, what, sized, children } = props;
  const { shown, showAll } = useFirstRows(children);
  const columns = [
    what,
    t(($) => $.resourceList.address),
    t(($) => $.resourceList.type),
    ...(sized ? [t(($) => $.resourceList.size)] : []),
    t(($) => $.resourceList.preview),
  ];
  return (
    <div class="block">
      <table class={sized ? 'grid framed resources' : 'grid framed resources unsized'} aria-label={name}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={column === t(($) => $.resourceList.size) ? 'r' : undefined}>
                <span class={column === t(($) => $.resourceList.preview) ? 'sr' : undefined}>{column}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{shown}</tbody>
      </table>
      {showAll}
    </div>
  );
}

/** One resource or template, and under it, when it is open, what is in it. */
function ResourceRow(props: {
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
