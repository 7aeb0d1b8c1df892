import type { JSX, RefObject } from 'preact';

/** Opens the browser's dialog for one file when it is clicked, by the button that holds its `picker`. */
export function FilePicker(props: {
  accept: string;
  picker: RefObject<HTMLInputElement | null>;
  take: (file: File) => void;
}): JSX.Element {
  return (
    <input
      type="file"
      hidden
      accept={props.accept}
      ref={props.picker}
      onChange={({ currentTarget }) => {
        const file = currentTarget.files?.[0];
        if (file) props.take(file);
        currentTarget.value = ''; // so that the same file may be chosen again
      }}
    />
  );
}
