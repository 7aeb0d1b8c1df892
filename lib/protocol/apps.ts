import type { AppContext, AppInput, AppResult, OpenedApp, WrittenCall } from '../types/app.ts';
import type { AttachmentSummary } from '../types/attachment.ts';
import type { Resource } from '../types/offer.ts';

/** What the app of a call may have done (MCP Apps). `callId`: of the call that it shows; what it says is hostile data. */
export type AppCommands = {
  /**
   * Reads what shows the call from its server. @throws AppError `no_app`, or why the server can't be asked
   * @param request `writing`: what the model calls while it still writes the arguments, and no row is there
   */
  openApp(request: { callId: string; writing?: WrittenCall }): OpenedApp;
  /** The arguments of the call, and what came of it, if it has ended. */
  appInput(request: { callId: string }): AppInput;
  /**
   * Calls a tool of the app's own server, as a model would: it may be asked about, and is in the ledger.
   * @throws AppError `no_app_tool`, `app_too_busy`
   * @param request `requestId`: the page's, so that it can be cancelled
   */
  callAppTool(request: {
    callId: string;
    requestId: string;
    name: string;
    arguments: Record<string, unknown>;
  }): AppResult;
  /**
   * Asks the chat's model, once the user allowed it (MCP `sampling/createMessage`). `requestId`: as of `callAppTool`.
   * @throws AppError `sampling_declined`, `sampling_failed`, `app_too_busy`
   */
  sampleForApp(request: {
    callId: string;
    requestId: string;
    params: Record<string, unknown>;
  }): Record<string, unknown>;
  /** Stops one request of `callAppTool` or `sampleForApp`, or all of the app. */
  cancelAppTools(request: { callId: string; requestId?: string }): void;
  listAppResources(request: { callId: string }): { resources: Resource[] };
  /** A resource of its own server, as that answers. @throws AppError `resource_too_large` */
  readAppResource(request: { callId: string; uri: string }): Record<string, unknown>;
  /** What the model is to be told with the user's next message; it takes the place of what the app said before. */
  setAppContext(request: { callId: string; context: AppContext }): void;
  /** The user puts a text of the app's into their message. @returns it without what is invisible, and what says whose it is */
  takeAppMessage(request: { callId: string; text: string }): { text: string; attachment: AttachmentSummary };
};
