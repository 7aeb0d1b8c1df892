/** A job that is done once for all who ask while it is under way. */
export function shared<T>(job: (input: T) => Promise<void>) {
  let running: Promise<void> | undefined;
  return {
    run: (input: T): Promise<void> =>
      (running ??= job(input).finally(() => {
        running = undefined;
      })),
    /** Resolves when none is under way, however it ended. */
    settled: async (): Promise<void> => {
      await running?.catch(() => undefined);
    },
  };
}

/** Resolves with the job, or after `ms`: the job goes on. @returns whether it was done by then */
export async function within(ms: number, job: Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([job.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
