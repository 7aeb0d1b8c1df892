import { render, type JSX } from 'preact';
import { useState } from 'preact/hooks';

/** The least that a composer can be. */
function Empty(): JSX.Element {
  const [text, setText] = useState('');
  return <textarea value={text} onInput={(event) => setText(event.currentTarget.value)} />;
}

render(<Empty />, document.getElementById('app') ?? document.body);
