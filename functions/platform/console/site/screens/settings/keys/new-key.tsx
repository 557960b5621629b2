import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api } from '../../../data/client.ts';
import { useFirstTry } from '../../../data/first-try.ts';
import { besides, issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, SelectField } from '../../../ui/field.tsx';
import { SCOPES, type Scope } from './scopes.ts';
import { useServiceAccounts } from './service-accounts.tsx';
import { ShownOnce } from './shown-once.tsx';

/** Keys expire unless a person decides otherwise. */
const DAYS = { '30': '30 days', '90': '90 days', '365': 'a year', '': 'no end' } as const;
const DAY_MS = 86_400_000;

export function NewKey({ close }: { close: () => void }) {
  const name = useSignal('');
  const scope = useSignal<string>('read');
  const days = useSignal('90');
  const accountId = useSignal('');
  const [key, setKey] = useState<string>();
  const accounts = useServiceAccounts().items ?? [];
  const firstTry = useFirstTry();
  const create = useAction(async () => {
    const made = await api.apiKeys.create({
      name: name.peek().trim(),
      scope: scope.peek() as Scope,
      ...(days.peek() && { expiresAt: new Date(firstTry.at() + Number(days.peek()) * DAY_MS).toISOString() }),
      ...(accountId.peek() && { serviceAccountId: accountId.peek() }),
    });
    firstTry.end();
    setKey(made.key);
    await refreshQueries(['keys']);
  });
  if (key !== undefined) return <ShownOnce title="Your new API key" noun="The key" secret={key} close={close} />;
  const issue = issueOf(create.problem, 'name');
  return (
    <Dialog
      title="New API key"
      close={close}
      action="Create"
      submit={async () => {
        await create.run();
        return false;
      }}
      isBusy={create.isRunning}
      problem={besides(create.problem, ['name'])}
    >
      <Field label="Name" required maxLength={200} placeholder="Nightly export" issue={issue} {...bound(name)} />
      <SelectField label="May" {...bound(scope)}>
        {Object.entries(SCOPES).map(([each, label]) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField label="Valid for" {...bound(days)}>
        {Object.entries(DAYS).map(([each, label]) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </SelectField>
      {accounts.length > 0 && (
        <SelectField
          label="Acts for"
          hint="A key of a service account keeps working when you leave."
          {...bound(accountId)}
        >
          <option value="">me</option>
          {accounts.map(({ id, name: label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
    </Dialog>
  );
}
