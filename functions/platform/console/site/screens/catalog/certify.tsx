import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import type { AssetType } from '../../data/catalog.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField, TextField } from '../../ui/field.tsx';

type Status = 'certified' | 'deprecated' | 'none';

/** Vouches for an object, advises against it, or withdraws either. */
export function Certify({ type, id }: { type: AssetType; id: string }) {
  const isOpen = useSignal(false);
  // Members of the group of certifiers may do so too, but only admins can read which group that is.
  if (!hasRole(useMe().data, 'admin')) return null;
  return (
    <>
      <Button icon="shield-check" onClick={() => (isOpen.value = true)}>
        Certify
      </Button>
      {isOpen.value && <CertifyDialog type={type} id={id} close={() => (isOpen.value = false)} />}
    </>
  );
}

function CertifyDialog({ type, id, close }: { type: AssetType; id: string; close: () => void }) {
  const { data: state } = useQuery(['catalog', 'certification', type, id], () =>
    api.catalog.getCertification(type, id),
  );
  const status = useSignal<Status>('certified');
  const by = useSignal('');
  const note = useSignal('');
  const until = useSignal('');
  const save = useAction(async () => {
    await api.catalog.setCertification(type, id, {
      status: status.peek(),
      ...(status.peek() === 'certified' && by.peek().trim() !== '' && { certifiedBy: by.peek().trim() }),
      ...(status.peek() !== 'none' && note.peek().trim() !== '' && { note: note.peek().trim() }),
      ...(status.peek() === 'certified' && until.peek() !== '' && { expiresAt: `${until.peek()}T00:00:00.000Z` }),
      // Nothing is certified that has changed since it was looked at.
      ...(status.peek() === 'certified' && state && { reviewedRevision: state.revision }),
    });
    await refreshQueries(['catalog']);
  });
  return (
    <Dialog
      title="Certification"
      action="Save"
      isIncomplete={!state}
      isBusy={save.isRunning}
      problem={save.problem}
      submit={save.run}
      close={close}
    >
      {state && state.status !== 'none' && (
        <p class="hint">
          Now {state.status}
          {state.certifiedBy && ` by ${state.certifiedBy}`}
          {state.note && `: ${state.note}`}
        </p>
      )}
      <SelectField
        label="State"
        value={status.value}
        onChange={({ currentTarget: { value } }) => {
          status.value = value as Status;
        }}
      >
        <option value="certified">certified: others can rely on it</option>
        <option value="deprecated">deprecated: no longer to be used</option>
        <option value="none">neither</option>
      </SelectField>
      {status.value === 'certified' && (
        <Field
          label="Certified by"
          placeholder="you"
          maxLength={200}
          value={by.value}
          onInput={({ currentTarget: { value } }) => {
            by.value = value;
          }}
        />
      )}
      {status.value !== 'none' && (
        <TextField
          label={status.value === 'certified' ? 'What was checked' : 'Why it should not be used'}
          rows={2}
          value={note.value}
          onInput={({ currentTarget: { value } }) => {
            note.value = value;
          }}
        />
      )}
      {status.value === 'certified' && (
        <Field
          label="Ends on"
          type="date"
          value={until.value}
          onChange={({ currentTarget: { value } }) => {
            until.value = value;
          }}
        />
      )}
    </Dialog>
  );
}
