import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface ShownOnceProps {
  title: string;
  /** What holds the secret, such as “The key”. */
  noun: string;
  secret: string;
  close(): void;
}

/** A secret that no other reply shows. */
export const ShownOnce = ({ title, noun, secret, close }: ShownOnceProps) => (
  <Dialog title={title} close={close}>
    <p>{noun} is shown only now. Store it in a safe place, such as the secret store of your program.</p>
    <p class="secret-text">
      <code>{secret}</code>
    </p>
    <div class="actions">
      <CopyButton text={secret}>Copy</CopyButton>
      <Button look="main" onClick={close}>
        I have stored it
      </Button>
    </div>
  </Dialog>
);
