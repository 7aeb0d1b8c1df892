import type { PanelRequest } from '../../protocol/panel.ts';
import type { AppToolAnswer, AppToolEvent, OfferingApp } from '../../types/app.ts';
import type { SaidTool } from '../../types/tools/tool.ts';

/** An app on this page, as far as its tools go. */
export type ToolApp = {
  callId: string;
  call: (id: string, name: string, args: Record<string, unknown>) => Promise<AppToolAnswer>;
  cancel: (id: string) => void;
};

/** What the apps on this page offer, and calls of it. `say`: to the worker, if it can be reached. */
export function createAppTools(say: (request: PanelRequest) => void) {
  const apps = new Map<string, ToolApp & { tools: SaidTool[] }>();
  const tell = (): void => {
    const offering = [...apps].map(([appId, { callId, tools }]): OfferingApp => ({ appId, callId, tools }));
    say({ type: 'app_tools', apps: offering });
  };
  return {
    /** What an app offers from now on. */
    put(appId: string, app: ToolApp, tools: SaidTool[]): void {
      if (tools.length === 0 && !apps.has(appId)) return;
      if (tools.length > 0) apps.set(appId, { ...app, tools });
      else apps.delete(appId);
      tell();
    },
    /** The line to the worker is a new one, which knows of no apps. */
    opened(): void {
      if (apps.size > 0) tell();
    },
    take(event: AppToolEvent): void {
      const { id, appId } = event;
      const app = apps.get(appId);
      if (event.type === 'cancel_app_tool') return app?.cancel(id);
      const made = app?.call(id, event.name, event.arguments) ?? Promise.resolve<AppToolAnswer>('lost');
      void made.then((answer) => say({ type: 'app_tool_answer', id, answer }));
    },
  };
}
