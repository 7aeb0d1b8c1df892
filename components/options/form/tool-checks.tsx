import type { JSX } from 'preact';
import { titleOfTool } from '../../../lib/state/settings/own-server.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { type ToolOverrides, withChanges } from '../../../lib/types/conversation.ts';
import { OWN_NAME, OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { useSetup } from '../options-context.ts';
import { Check } from '../../ui/fields.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** Whose tools may be used, and with `each` which of them: what is not switched off is as it is for all chats. */
export function ToolChecks(props: {
  off: ToolOverrides;
  set: (off: ToolOverrides) => void;
  each?: boolean;
}): JSX.Element {
  const { off, set } = props;
  const { servers, tools } = useSetup();
  const sources = [{ id: OWN_TOOLS, name: OWN_NAME }, ...servers.filter(({ enabled }) => enabled)];
  const check = (key: string, label: string): JSX.Element => (
    <Check
      key={key}
      label={label}
      checked={off[key] !== false}
      set={(isOn) => set(withChanges(off, { [key]: isOn ? null : false }))}
    />
  );
  return (
    <fieldset>
      <legend>{t(($) => $.schedules.fields.tools)}</legend>
      {sources.map(({ id, name }) => {
        const key = `mcp__${id}`;
        const own = tools.filter(({ serverId, present }) => present && serverId === id);
        return (
          <div key={id}>
            {check(key, name)}
            {props.each && own.length > 0 && off[key] !== false && (
              <details class="fold-field">
                <summary>{t(($) => $.projects.tools, { name: visible(name) })}</summary>
                <div class="form">
                  {own.map((tool) => check(tool.offeredName, visible(titleOfTool(tool) ?? tool.name)))}
                </div>
              </details>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
