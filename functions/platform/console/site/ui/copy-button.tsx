import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

interface CopyButtonProps {
  text: string;
  /** What is said once it is copied. */
  confirmation?: string;
  children: ComponentChildren;
}

/** Copies a text, and says whether that worked. */
export const CopyButton = ({ text, confirmation, children }: CopyButtonProps) => (
  <Button icon="copy" onClick={() => void copy(text, confirmation)}>
    {children}
  </Button>
);

/** Copies a text and confirms it. Some browsers refuse, such as on a page without HTTPS. */
export async function copy(text: string, confirmation = 'Copied.'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(confirmation);
  } catch {
    toast('The browser does not allow copying. Select the text and copy it yourself.', { isFailed: true });
  }
}
