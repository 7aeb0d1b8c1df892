/** The function, asked once for each object: its answer is kept as long as the object is. */
export function memoize<K extends object, V>(ask: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { answer: V }>();
  return (of) => {
    const before = known.get(of) ?? { answer: ask(of) };
    known.set(of, before);
    return before.answer;
  };
}
