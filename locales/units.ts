import { t } from './texts/shared.ts';
import { language } from './translate.ts';

/** 1,234.5 with so many decimals at most; `least` of them always. */
const decimal = (value: number, most = 0, least = most): string =>
  value.toLocaleString(language(), { minimumFractionDigits: least, maximumFractionDigits: most });

const seconds = (ms: number): string =>
  t(($) => $.units.seconds, {
    seconds: ms < 9950 ? decimal(Math.max(0.1, ms / 1000), 1) : decimal(Math.round(ms / 1000)),
  });

const minutes = (whole: number): string =>
  t(($) => $.units.minutes, { minutes: decimal(Math.floor(whole / 60)), seconds: decimal(whole % 60) });

/** 1500 as 1.5k; a whole number keeps no `.0`. */
const thousands = (count: number): string => {
  const [amount, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${amount < 100 ? decimal(amount, 1, 0) : decimal(amount)}${unit}`;
};

/** In the words of those who sell it: 32768 is 32k, and 128000 is 128k. */
const windowOf = (tokens: number): string =>
  thousands(
    tokens % 1000 !== 0 && tokens % 1024 === 0 && tokens < 1_048_576 ? (tokens / 1024) * 1000 : tokens,
  );

const dollars = (amount: number, most: number, least: number): string =>
  amount.toLocaleString(language(), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  });

/** Amounts, in the chosen language. */
export const units = {
  /** 1,234 */
  whole: (count: number): string => decimal(count),
  /** 1.2 s, 41 s, 1 min 12 s. */
  duration: (ms: number): string => (ms < 59_500 ? seconds(ms) : minutes(Math.round(ms / 1000))),
  /** 11%, of a share from 0 to 1. */
  percent: (share: number): string => share.toLocaleString(language(), { style: 'percent' }),
  /** 84 ms; from a second on like `duration`. */
  took: (ms: number): string =>
    ms < 1000 ? t(($) => $.units.ms, { ms: decimal(Math.round(ms)) }) : units.duration(ms),
  /** Whole seconds, for what is still counting. */
  elapsed: (ms: number): string => {
    const whole = Math.max(0, Math.floor(ms / 1000));
    return whole < 60 ? t(($) => $.units.seconds, { seconds: decimal(whole) }) : minutes(whole);
  },
  /** 612, 9.7k, 200k, 1.2M. */
  amount: (count: number): string => (count < 1000 ? decimal(Math.round(count)) : thousands(count)),
  /** A context window; where the model could read more than it is given, 4k of 40k. */
  window: (tokens: number, largest?: number): string =>
    largest !== undefined && largest > tokens
      ? t(($) => $.units.windowOf, { window: windowOf(tokens), largest: windowOf(largest) })
      : windowOf(tokens),
  /** 8k context; where the model could read more than it is given, 8k context (up to 40k). */
  context: (tokens: number, largest?: number): string =>
    largest !== undefined && largest > tokens
      ? t(($) => $.units.contextOf, { window: windowOf(tokens), largest: windowOf(largest) })
      : t(($) => $.units.context, { window: windowOf(tokens) }),
  /** What something cost, in US dollars. */
  money: (amount: number): string => (amount < 0.005 ? `<${dollars(0.01, 2, 2)}` : dollars(amount, 2, 2)),
  /** A price in US dollars: $3, $1.40, $0.075. */
  price: (amount: number): string => dollars(amount, 4, Number.isInteger(amount) ? 0 : 2),
  /** 612 B, 14 kB, 3.2 MB, 31 MB, 2.1 GB. */
  bytes: (bytes: number): string => {
    if (bytes < 1000) return t(($) => $.units.B, { amount: decimal(Math.round(bytes)) });
    const [amount, unit] =
      bytes < 999_500
        ? ([bytes / 1e3, 'kB'] as const)
        : bytes < 999_500_000
          ? ([bytes / 1e6, 'MB'] as const)
          : ([bytes / 1e9, 'GB'] as const);
    return t(($) => $.units[unit], { amount: decimal(amount, amount < 9.95 && unit !== 'kB' ? 1 : 0, 0) });
  },
  /** A, B and C. */
  listed: (names: readonly string[]): string => new Intl.ListFormat(language()).format(names),
  /** A, B or C, in parts. */
  orParts: (names: readonly string[]): { type: 'element' | 'literal'; value: string }[] =>
    new Intl.ListFormat(language(), { type: 'disjunction' }).formatToParts(names),
  /** A, B, C. No list of Intl's is one: between the parts of some is an "and", of others nothing. */
  commas: (names: readonly string[]): string =>
    names.join(/^(zh|ja)/.test(language()) ? '、' : language() === 'ar' ? '، ' : ', '),
};
