import { GRACE, settled } from './ending.ts';
import type { Prepared } from './prepare.ts';
import { type Program, type ProgramEvents, startProgram } from './start-program.ts';
import type { Running } from './running-notes.ts';

/** All that one native host has started, for whatever purpose, so that nothing outlives it. `running`: where they are written down. */
export function createPrograms(running: Running) {
  const programs = new Set<Program>();
  let isOver = false;
  return {
    /** @throws Error when the native host is about to end */
    start(prepared: Prepared, on: ProgramEvents): Program {
      if (isOver) throw new Error('The native host is about to end.');
      const program = startProgram(prepared, GRACE, {
        ...on,
        exit(exit) {
          programs.delete(program);
          if (program.pid !== undefined) running.remove(program.pid);
          on.exit(exit);
        },
      });
      programs.add(program);
      if (program.pid !== undefined) void running.add(program.pid, program.mark);
      return program;
    },
    /** Resolves when all are gone; from now on none is started. */
    async endAll(grace: number): Promise<void> {
      isOver = true;
      await settled([...programs].map((program) => program.end({ type: 'stopped' }, grace)));
    },
  };
}

export type Programs = ReturnType<typeof createPrograms>;
