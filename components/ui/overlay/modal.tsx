import { X } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useLayer } from './layers.ts';
import { CHORDS } from '../keys/chords.ts';
import { IconButton } from '../icon-button.tsx';
import './modal.css';

/** A window over the page that holds the focus until it is closed. */
export function Modal(props: {
  title: string;
  closeName: string;
  close: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { title, closeName, close, children } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayer(true, close);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Gives the focus back to what opened it.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      class="modal"
      aria-labelledby={id}
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="modal-frame">
        <div class="pane-head">
          <h2 class="grow cut" id={id}>
            {title}
          </h2>
          <IconButton icon={X} label={closeName} keys={CHORDS.escape} onClick={close} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
