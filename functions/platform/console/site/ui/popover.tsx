import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { place } from './place.ts';

interface PopoverProps {
  /** The name of the button and of the layer. */
  label: string;
  /** The content of the button. */
  button: ComponentChildren;
  /** The content of the layer, which exists while it is open. */
  children: (close: () => void) => ComponentChildren;
  isRight?: boolean;
}

/** A button with a layer of any content. Escape, or a click elsewhere, closes it. */
export function Popover({ label, button, children, isRight = false }: PopoverProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onToggle = ({ newState }: Event & { newState?: string }) => setOpen(newState === 'open');
    layer.current!.addEventListener('toggle', onToggle);
    return () => layer.current?.removeEventListener('toggle', onToggle);
  }, []);
  useEffect(() => {
    if (isOpen) place(layer.current!, opener.current!, isRight);
  });
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="button plain icon-only"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        {button}
      </button>
      <div ref={layer} id={id} class="popover" popover="auto" role="dialog" aria-label={label}>
        {isOpen && children(() => layer.current?.hidePopover())}
      </div>
    </>
  );
}
