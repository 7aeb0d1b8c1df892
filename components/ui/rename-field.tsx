import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A title that is being written anew, in its place. Enter or leaving takes it, Escape does not. */
export function RenameField(props: {
  name: string;
  title: string;
  save: (title: string) => void;
  close: () => void;
}): JSX.Element {
  const { name, save, close } = props;
  const [title, setTitle] = useState(props.title);
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => field.current?.select(), []);
  const end = (taken: boolean): void => {
    if (done.current) return;
    done.current = true;
    if (taken && title.trim() !== '' && title !== props.title) save(title);
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === 'Enter');
  };
  return (
    <input
      class="input rename"
      aria-label={name}
      dir="auto"
      value={title}
      ref={field}
      onInput={(event) => setTitle(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
    />
  );
}
