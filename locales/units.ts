const seconds = (ms: number): string =>
  ms < 9950 ? `${Math.max(0.1, ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;

/** 1500 as 1.5k; a whole number keeps no `.0`. */
const thousands = (count: number): string => {
  const [amount, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${amount < 100 ? Number(amount.toFixed(1)) : Math.round(amount)}${unit}`;
};

/** In the words of those who sell it: 32768 is 32k, and 128000 is 128k. */
const windowOf = (tokens: number): string =>
  thousands(
    tokens % 1000 !== 0 && tokens % 1024 === 0 && tokens < 1_048_576 ? (tokens / 1024) * 1000 : tokens,
  );

/** Amounts. */
export const units = {
  /** 1.2 s, 41 s, 1 min 12 s. */
  duration: (ms: number): string =>
    ms < 59_500
      ? seconds(ms)
      : `${Math.floor(Math.round(ms / 1000) / 60)} min ${Math.round(ms / 1000) % 60} s`,
  /** Whole seconds, for what is still counting. */
  elapsed: (ms: number): string => {
    const whole = Math.max(0, Math.floor(ms / 1000));
    return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  },
  /** 612, 9.7k, 200k, 1.2M. */
  amount: (count: number): string => (count < 1000 ? `${Math.round(count)}` : thousands(count)),
  /** A context window; where the model could read more than it is given, 4k of 40k. */
  window: (tokens: number, largest?: number): string =>
    largest !== undefined && largest > tokens
      ? `${windowOf(tokens)} of ${windowOf(largest)}`
      : windowOf(tokens),
  /** 8k context; where the model could read more than it is given, 8k context (up to 40k). */
  context: (tokens: number, largest?: number): string =>
    `${windowOf(tokens)} context${largest !== undefined && largest > tokens ? ` (up to ${windowOf(largest)})` : ''}`,
  /** US dollars. */
  money: (dollars: number): string => (dollars < 0.005 ? '<$0.01' : `$${dollars.toFixed(2)}`),
};
