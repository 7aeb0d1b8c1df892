import { h } from 'preact';
import { expect, it } from 'vitest';
import { OfferOption } from '../../components/composer/menu/offer-option.tsx';
import type { MenuEntry } from '../../lib/state/composer/menu-entries.ts';
import { drawn } from '../fakes/drawn.ts';

const said = 'a'.repeat(5_000);
const offer = { serverId: 1, serverName: 'Notes', name: 'n', description: said };

it.each<{ entry: MenuEntry }>([
  { entry: { type: 'prompt', id: 'p', offer: { ...offer, arguments: [] } } },
  { entry: { type: 'template', id: 't', offer: { ...offer, uriTemplate: said } } },
])('a line of the menu has the beginning of what its server says: $entry.type', ({ entry }) => {
  const at = { id: 'a', position: 0, active: 1, point: () => {}, choose: () => {} };
  const line = drawn(h(OfferOption, { entry, ...at }));
  expect(line.replaceAll(/title="[^"]*"/g, '').length).toBeLessThan(2_000);
});
