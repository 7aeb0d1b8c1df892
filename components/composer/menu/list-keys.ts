import { useState } from 'preact/hooks';

/** What a list's keys do; `false`: nothing is listed, and the key is not the list's. */
export function listKeys(
  event: KeyboardEvent,
  list: { active: number; count: number; point: (position: number) => void; choose: () => void },
): boolean {
  const { active, count, point, choose } = list;
  if (count === 0 || event.isComposing) return false;
  if (event.key === 'ArrowDown') point((active + 1) % count);
  else if (event.key === 'ArrowUp') point((active - 1 + count) % count);
  else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && active >= 0) choose();
  else return false;
  event.preventDefault();
  return true;
}

/** Which of a list's entries the keys have reached; begins anew with another `list`. */
export function useReached(list: string, first: number): [number, (position: number) => void] {
  const [reached, setReached] = useState({ list, position: first });
  const position = reached.list === list ? reached.position : first;
  return [position, (next) => setReached({ list, position: next })];
}
