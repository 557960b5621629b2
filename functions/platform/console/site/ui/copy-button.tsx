import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

/** Copies a text, and says whether that worked. */
export const CopyButton = ({ text, children }: { text: string; children: ComponentChildren }) => (
  <Button icon="copy" onClick={() => void copy(text)}>
    {children}
  </Button>
);

/** Some browsers refuse, such as on a page without HTTPS. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    toast('The browser does not allow copying. Select the text and copy it yourself.', { isFailed: true });
  }
}
