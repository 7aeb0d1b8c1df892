import { LONGEST_STDERR_LINE } from '../lib/types/native-host.ts';

/** Lines that wait to be told, and those that an exit repeats. */
const MOST_LINES = 200;
const LAST = 20;
/** Milliseconds: what is printed together is told together. */
const TOGETHER = 30;

export type StderrLines = {
  add(chunk: string): void;
  /** Tells what waits, also of a line that has not ended. */
  flush(): void;
  /** The last lines, oldest first. */
  last(): string[];
};

/** Cuts what a program prints into lines, each of a bounded length; of a flood only the last lines are told. */
export function createStderrLines(tell: (lines: string[]) => void): StderrLines {
  let rest = '';
  let waiting: string[] = [];
  let last: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const put = (lines: string[]): void => {
    const kept = lines
      .map((line) => line.trimEnd().slice(0, LONGEST_STDERR_LINE))
      .filter((line) => line !== '');
    waiting = [...waiting, ...kept].slice(-MOST_LINES);
    last = [...last, ...kept].slice(-LAST);
  };
  const tellAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) tell(lines);
  };
  return {
    add(chunk) {
      const lines = (rest + chunk).split(/\r?\n/);
      // The rest of a line that is too long already is dropped as it comes.
      rest = (lines.pop() ?? '').slice(0, LONGEST_STDERR_LINE);
      put(lines);
      if (waiting.length > 0) timer ??= setTimeout(tellAll, TOGETHER);
    },
    flush() {
      put([rest]);
      rest = '';
      tellAll();
    },
    last: () => last,
  };
}
