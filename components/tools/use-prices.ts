import { useEffect, useState } from 'preact/hooks';
import { toolPrices } from '../../lib/state/chat-tools.ts';
import { usePanel } from '../panel-context.ts';

/** What each tool's definition costs, in tokens by offered name; null until the worker has told the schemas. */
export function usePrices(): ReadonlyMap<string, number> | null {
  const { command, setup } = usePanel();
  const [prices, setPrices] = useState<ReadonlyMap<string, number> | null>(null);
  const listed = (setup.value?.tools ?? []).map(({ offeredName }) => offeredName).join();
  useEffect(() => {
    let current = true;
    const load = async (): Promise<void> => {
      const answer = await command('listTools', {});
      if (current && answer) setPrices(toolPrices(answer.reply));
    };
    void load();
    return () => {
      current = false;
    };
  }, [command, listed]);
  return prices;
}
