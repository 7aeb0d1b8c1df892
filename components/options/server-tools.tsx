import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import type { ToolSummary } from '../../lib/protocol.ts';
import type { Permission } from '../../lib/types/tool.ts';
import { Segments, Switch } from './fields.tsx';
import { useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { useAction } from './use-action.ts';

/** The tools of one server: which the model may see, and which it may call without asking. */
export function ServerTools({ tools }: { tools: ToolSummary[] }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  if (tools.length === 0) return <p class="muted">{en.servers.noTools}</p>;
  const set = (tool: ToolSummary, change: { enabled?: boolean; permission?: Permission }): void =>
    action.run(() => command('setTool', { serverId: tool.serverId, name: tool.name, ...change }));
  return (
    <>
      {action.error && <Problem error={action.error} />}
      <ul class="rows block" aria-label={en.servers.tools}>
        {tools.map((tool) => (
          <li key={tool.name} class={tool.enabled ? 'tool-row' : 'tool-row off'} aria-label={tool.name}>
            <Switch
              label={en.servers.use(tool.name)}
              checked={tool.enabled}
              set={(enabled) => set(tool, { enabled })}
            />
            <div class="what">
              <code>{tool.name}</code>
              <p class="sub cut" title={tool.description}>
                {tool.present ? tool.description : en.servers.missing}
              </p>
            </div>
            <Segments
              label={en.servers.permissionFor(tool.name)}
              value={tool.permission}
              options={en.servers.permission}
              set={(permission) => set(tool, { permission })}
              quiet
            />
          </li>
        ))}
      </ul>
    </>
  );
}
