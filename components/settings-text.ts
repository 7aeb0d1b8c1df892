/** A channel, since the text may hold secrets: neither an address nor a store keeps it. */
const CHANNEL = 'settings-text';

/** Gives `text` to the next page of the settings that asks for it, once. */
export function giveSettingsText(text: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<{ text?: string }>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    if (data.text === undefined) channel.postMessage({ text });
    channel.close();
  });
}

/** Asks for what a panel gives to this page. @returns what stops listening */
export function askSettingsText(take: (text: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<{ text?: string }>) => {
    if (data.text !== undefined) take(data.text);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  channel.postMessage({});
  return () => channel.close();
}
