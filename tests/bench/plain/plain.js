// The least that a panel can do: asks when Enter is pressed, and appends what comes to a text node.
document.querySelector('textarea').addEventListener('keydown', async ({ key, currentTarget }) => {
  if (key !== 'Enter') return;
  currentTarget.value = '';
  const text = document.createTextNode('');
  document.querySelector('pre').replaceChildren(text);
  const { body } = await fetch(new URLSearchParams(location.search).get('answer'), { method: 'POST' });
  for await (const piece of body.pipeThrough(new TextDecoderStream())) text.appendData(piece);
});
