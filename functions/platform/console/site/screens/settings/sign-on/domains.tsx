import { useSignal } from '@preact/signals';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { refreshQueries } from '../../../data/query.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { Issue } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { TheirProvider, useProviderEdit } from './provider-edit.tsx';

/** The domains of the addresses that the provider signs in, each proven by a record in DNS. */
export function Domains({ provider }: { provider: Types.IdentityProvider }) {
  const { id, domains } = provider;
  const text = useSignal(domains.map(({ name }) => name).join('\n'));
  const edit = useProviderEdit(provider, () => ({ domains: text.peek().split(/\s+/).filter(Boolean) }));
  const verify = useAction(async (domain: string) => {
    await api.identityProviders.verifySsoDomain(id, domain);
    await refreshQueries(['providers']);
  });
  return (
    <Section title="Email domains">
      <ul class="rows">
        {domains.map(({ name, verified, record }) => (
          <li key={name}>
            <div>
              <strong>{name}</strong>{' '}
              <Status kind={verified ? 'succeeded' : 'waiting'} label={verified ? 'verified' : 'not verified'} />
              {!verified && (
                <p class="hint">
                  Add this {record.type} record: <code>{record.name}</code> with <code>{record.value}</code>
                </p>
              )}
            </div>
            {!verified && (
              <span class="row-actions">
                <CopyButton text={record.value}>Copy</CopyButton>
                <Button isSmall isBusy={verify.isRunning} onClick={() => void verify.run(name)}>
                  Verify
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <Issue problem={verify.problem} />
      <Form
        action="Save"
        submit={() => edit.run()}
        isBusy={edit.isRunning}
        problem={edit.problem}
        instead={edit.theirs && <TheirProvider edit={edit} />}
      >
        <TextField
          label="Domains"
          rows={3}
          hint="One on each line. People whose address is in a verified one are sent to this provider."
          issue={edit.problem?.issues.find(({ pointer }) => pointer.startsWith('/domains'))?.message}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </Form>
    </Section>
  );
}
