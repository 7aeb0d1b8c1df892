type Ending = () => void | Promise<void>;

/** Everything that the command started, to be ended in reverse order, exactly once. */
export type Lifetime = {
  add: (ending: Ending) => void;
  /** Ends everything; an ending that fails or hangs does not keep the others from it. */
  end: () => Promise<void>;
};

const timeoutMs = 5000;

export function createLifetime(): Lifetime {
  const endings: Ending[] = [];
  return {
    add: (ending) => endings.push(ending),
    end: async () => {
      for (let ending = endings.pop(); ending; ending = endings.pop()) await bounded(ending);
    },
  };
}

async function bounded(ending: Ending): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    await Promise.race([ending(), late]);
  } catch (error) {
    process.stderr.write(`portside: ${error instanceof Error ? error.message : String(error)}\n`);
  } finally {
    clearTimeout(timer);
  }
}
