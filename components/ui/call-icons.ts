import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  LoaderCircle,
  TimerOff,
  type IconNode,
} from 'lucide';
import type { CallStatus } from '../../lib/types/tools/tool-call.ts';

/** The shape of each status; its word stands beside it. */
export const callIcons: Record<CallStatus, IconNode> = {
  pending: CircleDashed,
  approved: CircleDashed,
  running: LoaderCircle,
  success: CircleCheck,
  error: CircleX,
  timeout: TimerOff,
  cancelled: CircleSlash,
  denied: Ban,
  unknown: CircleQuestionMark,
};
