import { signal } from '@preact/signals';

/** The layer over the page that is open. */
export const openLayer = signal<'palette' | 'shortcuts' | null>(null);

export function layer(name: 'palette' | 'shortcuts' | null): void {
  openLayer.value = name;
}
