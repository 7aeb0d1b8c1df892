import { type Activity, idle, type RunEvent } from '../types/run.ts';
import type { CallProgress } from '../types/tools/call-tool.ts';

/** What a live run is at after an event; the same object where that is nothing new. */
export function activityAfter(before: Activity, event: RunEvent): Activity {
  switch (event.type) {
    case 'iteration_start':
      return { ...before, maxIterations: event.maxIterations, summarising: false };
    case 'summary_start':
      return { ...before, summarising: true };
    case 'summary_end':
      return { ...before, summarising: false };
    case 'call_progress':
      return { ...before, progress: { ...before.progress, [event.callId]: progressOf(event) } };
    case 'call_end': {
      const { [event.callId]: ended, ...progress } = before.progress;
      return ended ? { ...before, progress } : before;
    }
    case 'run_end':
      return idle;
    default:
      return before;
  }
}

function progressOf(event: Extract<RunEvent, { type: 'call_progress' }>): CallProgress {
  const { type: _type, callId: _callId, ...progress } = event;
  return progress;
}
