// Appended to the worker: the least that an extension can do between Enter and the request when nothing may be lost.
// The message goes to the worker, is written down in one transaction, and only then is the model asked.
const floor = new Promise((resolve, reject) => {
  const opening = indexedDB.open('bench-floor', 1);
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore('messages', { keyPath: 'id' });
  });
  opening.addEventListener('success', () => resolve(opening.result));
  opening.addEventListener('error', () => reject(opening.error));
});
async function writeAndAsk(url, body) {
  const tx = (await floor).transaction('messages', 'readwrite');
  tx.objectStore('messages').put({ id: crypto.randomUUID(), content: 'Go on' });
  tx.addEventListener('complete', () => void fetch(url, { method: 'POST', body }));
}
chrome.runtime.onMessage.addListener(({ floor: url, body }) => {
  if (url !== undefined) void writeAndAsk(url, body);
});
