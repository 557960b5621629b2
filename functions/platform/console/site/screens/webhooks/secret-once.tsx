import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

const GUIDE = '/api/docs/guides/webhooks#verify-the-signature';

/** A secret that was just made. It is shown nowhere else and never again. */
export const SecretOnce = ({ secret, close }: { secret: string; close: () => void }) => (
  <Dialog title="Copy the secret now" close={close}>
    <p>It is not shown again. Your receiver needs it to verify that requests come from this platform.</p>
    <code class="secret">{secret}</code>
    <div class="actions">
      <a class="button plain" href={GUIDE} target="_blank" rel="noopener">
        How to verify
      </a>
      <CopyButton text={secret}>Copy the secret</CopyButton>
    </div>
  </Dialog>
);
