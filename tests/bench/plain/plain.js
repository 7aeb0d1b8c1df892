// The least that a panel can do: asks when Enter is pressed, reads the reply, and appends its text to a text node.
document.querySelector('textarea').addEventListener('keydown', async ({ key, currentTarget }) => {
  if (key !== 'Enter') return;
  currentTarget.value = '';
  const text = document.createTextNode('');
  document.querySelector('pre').replaceChildren(text);
  const { body } = await fetch(new URLSearchParams(location.search).get('answer'), { method: 'POST' });
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop();
    const chunks = lines
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)));
    text.appendData(chunks.map(({ choices: [{ delta }] }) => delta.content ?? '').join(''));
  }
});
