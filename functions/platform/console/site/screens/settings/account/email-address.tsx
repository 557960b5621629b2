import { useAction } from '../../../data/action.ts';
import { api } from '../../../data/client.ts';
import type { Me } from '../../../data/me.ts';
import { refreshQueries } from '../../../data/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { Issue } from '../../../ui/states.tsx';

/** After others have changed the address of the account. */
export function EmailAddress({ me: { user } }: { me: Me }) {
  const confirm = useAction(async () => {
    await api.auth.confirmEmail({ email: user.email });
    await refreshQueries(['me']);
  });
  return (
    <Section title="Confirm your email address">
      <p>
        The address of your account was changed to <strong>{user.email}</strong>. Until you confirm that it is yours, no
        emails that give access are sent to it.
      </p>
      <div class="actions">
        <Button look="main" isBusy={confirm.isRunning} onClick={() => void confirm.run()}>
          This is my address
        </Button>
      </div>
      <Issue problem={confirm.problem} />
    </Section>
  );
}
