import type { Signal } from '@preact/signals';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Binds a field to a signal of a text: `<Field label="Name" {...bound(name)} />`. */
export const bound = (text: Signal<string>) => ({
  value: text.value,
  onInput: ({ currentTarget }: { currentTarget: Control }) => {
    text.value = currentTarget.value;
  },
});
