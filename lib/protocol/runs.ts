import type { RequestAnswer } from '../types/request.ts';
import type { Place } from './panel.ts';
import type { ChatChoice } from '../types/conversation.ts';
import type { SiteKind } from '../types/site-rule.ts';
import type { Decision } from '../types/tools/tool-call.ts';

export type RunCommands = {
  /**
   * Begins a run, or queues it behind the conversation's live one. Ids are the panel's, so a repeat is harmless.
   * Without `message` the conversation goes on from where it stands (Retry, Continue); `live` says that it does so
   * already and that no run of this id exists. While a run is live, `when` says what becomes of the message: it is
   * sent when the run ends (`queue`, unless told), given to the model at the next tool boundary (`steer`), or the run is
   * stopped for it (`now`), before anything that is queued.
   */
  startRun(request: {
    conversationId: string;
    runId: string;
    message?: NewMessage;
    when?: 'queue' | 'steer' | 'now';
    /** Where the panel stands: the next one there shows this chat. */
    place?: Place;
    /** The draft that the panel knew: it is sent with the message, as what was saved of that. Any other stays. */
    draft?: string;
  }): 'started' | 'queued' | 'live';
  /**
   * Ends the conversation's live run and empties its queue: after a Stop nothing more is sent by itself. What was
   * queued is in the draft now, and goes to every panel that shows the conversation (`unsent`).
   */
  stopRun(request: { conversationId: string }): void;
  /** Ends a wait for the next try: the model is asked again now. */
  retryNow(request: { conversationId: string }): void;
  /** False when it is not queued any more: it has begun, or was removed elsewhere. */
  removeQueued(request: { runId: string }): boolean;
  /** Moves a queued message one place towards the front (-1) or the end (1) of the queue. */
  moveQueued(request: { runId: string; by: -1 | 1 }): void;
  /** Changes a queued message between waiting for the run's end and steering it at its next tool boundary. */
  steerQueued(request: { runId: string; steer: boolean }): void;
  /**
   * Answers an approval or an unknown outcome. `scope` other than `once` also allows the tool's later calls, in this
   * chat or always, and releases the ones that wait now.
   * @throws AppError `bad_arguments` when edited arguments do not fit the tool's schema: the call still waits;
   * `definition_changed` when the tool is not any more what the user was asked about: no later call is allowed, and
   * this one is not made, which the model is told
   * @param request `never`: on `deny`, what the call's site never gets from now on; `readTools`: with `chat`, the other tools
   * of its server that are allowed, as the card named them, as far as they only read
   */
  resolveCall(
    request: {
      callId: string;
      scope?: 'once' | 'chat' | 'always';
      readTools?: string[];
      never?: SiteKind;
    } & Decision,
  ): void;
  /** What the schema of the call's tool says against these arguments, in one sentence; null when they fit. */
  checkArguments(request: { callId: string; arguments: string }): string | null;
  /**
   * Makes a call that failed, timed out, was cancelled or has an unknown outcome once more, and lets the model go on
   * from its result. What came after the call before stays on a branch of its own.
   * @throws AppError `run_live` while the conversation's run goes on; `not_repeatable` for any other call
   */
  runAgain(request: { callId: string; runId: string }): void;
  /**
   * Writes an answer anew, beside the one that stands there: the branch goes back to the user's message before
   * `messageId`, an assistant's. `choice`: this one by another model; the chat stays with its own.
   * @throws AppError `run_live` while the conversation's run goes on
   */
  regenerate(request: {
    messageId: string;
    runId: string;
    choice?: Pick<ChatChoice, 'providerId' | 'model'>;
  }): void;
  /**
   * Has the model summarise all that stands before the last question; what was said stays.
   * @throws AppError `run_live`; `nothing_to_compact`
   */
  compact(request: { conversationId: string; runId: string }): void;
  /** The user's answer to a server's request. An answer that comes too late changes nothing. */
  answerRequest(request: { requestId: string } & RequestAnswer): void;
};

/** What a page sends. `attachments`: ids of the draft's attachments that go with it. */
export type NewMessage = {
  id: string;
  text: string;
  attachments?: string[];
  /** The message of the user's that this one is another version of. It takes over that one's attachments `kept`. */
  replaces?: { messageId: string; kept: string[] };
};
