/** One server-sent event. */
export type ServerEvent = { event: string; data: string };

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream),
 * except that servers leave off blank lines: `end` gives out an unfinished event, and a line of data that follows a
 * whole object begins an event of its own. Each character is looked at a fixed number of times, however it arrives.
 */
export function createEventStream() {
  let line = '';
  let event = '';
  let data: string[] = [];
  let size = 0;
  let afterCarriageReturn = false;

  const dispatch = (events: ServerEvent[]): void => {
    if (data.length > 0) events.push({ event, data: data.join('\n') });
    event = '';
    data = [];
    size = 0;
  };
  const takeLine = (text: string, events: ServerEvent[]): void => {
    if (text === '') return dispatch(events);
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') event = value;
    if (field === 'data') {
      if (isBoundary(data, value)) dispatch(events);
      data.push(value);
      size += value.length;
    }
  };

  return {
    /** Takes text, cut anywhere; gives the events that it completes. */
    push(piece: string): ServerEvent[] {
      const text = afterCarriageReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
      if (piece !== '') afterCarriageReturn = piece.endsWith('\r');
      const [first = '', ...lines] = text.includes('\r') ? text.split(/\r\n?|\n/) : text.split('\n');
      line += first;
      const events: ServerEvent[] = [];
      for (const next of lines) {
        takeLine(line, events);
        line = next;
      }
      return events;
    },
    /** The event that lacks its closing blank line, when nothing more comes. */
    end(): ServerEvent[] {
      const events: ServerEvent[] = [];
      if (line !== '') takeLine(line, events);
      line = '';
      dispatch(events);
      return events;
    },
    /** Characters of the event that is not complete yet. */
    held: (): number => line.length + size,
  };
}

/** No JSON text goes on like this, be it written over several lines. */
function isBoundary(data: string[], next: string): boolean {
  const [only = ''] = data;
  return data.length === 1 && only.startsWith('{') && only.trimEnd().endsWith('}') && /^[{[]/.test(next);
}
