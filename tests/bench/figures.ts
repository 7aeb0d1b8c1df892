/** One thing that was measured. A figure without a target is told for comparison only. */
export type Figure = {
  name: string;
  value: number;
  unit: 'x' | 'ms' | 'µs' | 'kB' | 'tokens';
  /** The most that `value` may be. */
  target?: number;
  /** What was divided by what, with the absolute figures. */
  detail: string;
};

/** Whether the figure is as it must be; undefined when nothing is asked of it. */
export function meets({ value, target }: Figure): boolean | undefined {
  return target === undefined ? undefined : value <= target;
}

/** The middle value; of an even number the lower of the two in the middle. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? Number.NaN;
}

/** The least: noise only ever adds, so this is nearest to what the work itself costs. */
export function least(values: number[]): number {
  return Math.min(...values);
}

/** CPU milliseconds, of every thread of this process, that `work` took. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Runs the works in turn, again and again, so that what else the computer does falls on all of them alike.
 * @param typical the cost of a work, of those of its rounds: the median, unless told
 * @returns what each costs by `cost`, after one round that does not count
 */
export async function alternate<K extends string>(
  works: Record<K, () => unknown>,
  rounds: number,
  cost: (work: () => unknown) => Promise<number> = cpuOf,
  typical: (costs: number[]) => number = median,
): Promise<Record<K, number>> {
  const names = Object.keys(works) as K[];
  const costs = names.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [at, name] of names.entries()) {
      globalThis.gc?.();
      const spent = await cost(works[name]);
      if (round >= 0) costs[at]?.push(spent);
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, typical(costs[at] ?? [])])) as Record<K, number>;
}

/** Wall-clock milliseconds that `work` took. */
export async function wallOf(work: () => unknown): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** One measure of ours over the same of a baseline. */
export function ratioOf(
  name: string,
  own: number,
  other: number,
  { unit = 'ms', how, target }: { unit?: string; how?: string; target?: number },
): Figure {
  const detail = [`${own.toFixed(1)} / ${other.toFixed(1)} ${unit}`, how].filter(Boolean).join(', ');
  return { name, value: own / other, unit: 'x', detail, ...(target !== undefined && { target }) };
}

/** What is printed of them. */
export function tableOf(rows: Figure[]): string {
  const cells = rows.map((figure) => [
    figure.name,
    `${figure.value.toFixed(2)} ${figure.unit}`,
    figure.target === undefined ? '' : `≤ ${figure.target} ${figure.unit}`,
    { true: '✓', false: '✗ missed', undefined: '' }[String(meets(figure)) as 'true' | 'false' | 'undefined'],
    figure.detail,
  ]);
  const head = ['', 'measured', 'target', '', ''];
  const widths = head.map((_, column) =>
    Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return `${[head, ...cells].map((row) => line(row).trimEnd()).join('\n')}\n`;
}
