import type { RunLine } from './run-lines.ts';

export type Transcript = { asked: (text: string) => void; event: (event: RunLine) => void };

/** Prints a conversation as it happens, for a user at a terminal. */
export function createTranscript(write: (text: string) => void): Transcript {
  const running = new Map<string, string>();
  let isMidLine = false;

  const endLine = () => {
    if (isMidLine) write('\n');
    isMidLine = false;
  };

  const line = (text: string) => {
    endLine();
    write(`${printable(text)}\n`);
  };

  const stream = (text: string) => {
    if (text === '') return;
    write(`${isMidLine ? '' : 'Portside: '}${printable(text)}`);
    isMidLine = true;
  };

  return {
    asked: (text) => line(`You: ${text}`),
    event: (event) => {
      switch (event.type) {
        case 'text_delta':
          return stream(event.text);
        case 'approval_required':
          return line(
            event.wait === 'permission'
              ? `? ${event.toolName} needs approval`
              : `? ${event.toolName}: outcome unknown`,
          );
        case 'call_start':
          running.set(event.callId, event.toolName);
          return line(`→ ${event.toolName} ${JSON.stringify(event.arguments)}`);
        case 'call_end': {
          const name = running.size > 1 ? `${running.get(event.callId) ?? ''}: ` : '';
          running.delete(event.callId);
          const status = event.isError ? `${event.status}: ` : '';
          return line(`← ${name}${status}${event.result} (${Math.round(event.durationMs)} ms)`);
        }
        case 'message_end':
        case 'run_end':
          return endLine();
        default:
          return undefined;
      }
    },
  };
}

/** Without the control characters with which a server's text could drive the terminal. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
