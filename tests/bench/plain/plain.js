// The least that a panel can do: asks when Enter is pressed, and appends each token that the reply brings to a text node.
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
    for (const line of lines)
      if (line.startsWith('data: {'))
        text.appendData(JSON.parse(line.slice(6)).choices[0].delta.content ?? '');
  }
});
