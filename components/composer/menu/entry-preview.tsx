import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import { usePanel } from '../../panel-context.ts';
import { FaultLine } from '../../ui/fault.tsx';
import { Modal } from '../../ui/overlay/modal.tsx';
import { Sent } from '../attach/attachment-preview.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** What an entry of the `@` menu would send, before it is attached. */
export function EntryPreview(): JSX.Element | null {
  const { menu, attaching } = usePanel();
  const { shown, close } = menu.preview;
  if (!shown.value) return null;
  const { resource, content, error } = shown.value;
  const title = resource.title ?? resource.name;
  const add = (): void => {
    close();
    menu.take();
    void attaching.attach({ serverId: resource.serverId, uri: resource.uri, title });
  };
  return (
    <Modal
      title={t(($) => $.attachments.preview, { title: visible(title) })}
      closeName={t(($) => $.attachments.close)}
      close={close}
    >
      <div class="preview" tabIndex={0}>
        <p class="small subtle preview-from">
          {visible(resource.serverName)}, {visible(resource.uri)}
        </p>
        {error && <FaultLine error={error} />}
        {!content && !error && (
          <p class="subtle" role="status">
            {t(($) => $.compose.previewing)}
          </p>
        )}
        {content && <Sent content={content} tokens={content.tokens} />}
      </div>
      <div class="preview-foot">
        <button type="button" class="btn primary" onClick={add}>
          {t(($) => $.compose.addPreviewed)}
        </button>
      </div>
    </Modal>
  );
}
