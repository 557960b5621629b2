import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface CodesProps {
  title: string;
  codes: readonly string[];
  close(): void;
}

/** Recovery codes, which are shown once. */
export const Codes = ({ title, codes, close }: CodesProps) => (
  <Dialog title={title} close={close}>
    <p>
      Keep these recovery codes in a safe place. If you lose your authenticator app, you can use each of them once in
      place of a code. They are not shown again.
    </p>
    <ul class="codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <div class="actions">
      <CopyButton text={codes.join('\n')}>Copy</CopyButton>
      <Button look="main" onClick={close}>
        I have stored them
      </Button>
    </div>
  </Dialog>
);
