import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, failedWith, type Types } from '../../../data/client.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { dayText } from '../../../ui/moment.ts';
import { Section } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { toast } from '../../../ui/toast.tsx';

/** The licence, which decides with the plan what the company may use. */
export function Licence() {
  const { data, error, refresh } = useQuery(['licence'], readLicence);
  const [isRemoving, setRemoving] = useState(false);
  const text = useSignal('');
  const changed = () => Promise.all([refreshQueries(['licence']), refreshQueries(['entitlements'])]);
  const upload = useAction(async () => {
    await api.usage.uploadLicence({ licence: text.peek().trim() });
    text.value = '';
    await changed();
    toast('The licence is in use.');
  });
  const remove = useAction(async () => {
    await api.usage.removeLicence();
    await changed();
  });
  return (
    <Section title="Licence">
      {data === undefined && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />)}
      {data === null && <p class="hint">There is no licence file; the plan decides what the company may use.</p>}
      {data && <Details licence={data} />}
      <Form action="Upload" submit={() => upload.run()} isBusy={upload.isRunning} problem={upload.problem}>
        <TextField
          label={data ? 'New licence file' : 'Licence file'}
          required
          rows={3}
          spellcheck={false}
          autocomplete="off"
          hint="Paste the content of the file, unchanged."
          issue={issueOf(upload.problem, 'licence')}
          {...bound(text)}
        />
      </Form>
      {data && (
        <div class="actions">
          <Button look="danger" icon="trash-2" onClick={() => setRemoving(true)}>
            Remove the licence
          </Button>
        </div>
      )}
      {isRemoving && (
        <Confirm
          title="Remove the licence?"
          action="Remove"
          submit={remove.run}
          isBusy={remove.isRunning}
          problem={remove.problem}
          close={() => setRemoving(false)}
        >
          <p>Within seconds, the plan alone decides what the company may use.</p>
        </Confirm>
      )}
    </Section>
  );
}

/** Null if there is none. */
const readLicence = (): Promise<Types.Licence | null> =>
  api.usage.getLicence().catch((error: unknown) => {
    if (failedWith<'usage.getLicence'>(error, 'LICENCE_NOT_FOUND')) return null;
    throw error;
  });

const Details = ({ licence: { tier, products, validUntil, status, uploadedAt } }: { licence: Types.Licence }) => (
  <dl class="rights">
    <dt>Status</dt>
    <dd>
      <Status kind={status === 'active' ? 'succeeded' : 'failed'} label={status} />
    </dd>
    <dt>Tier</dt>
    <dd>{tier}</dd>
    <dt>Products</dt>
    <dd>{products.join(', ') || 'none'}</dd>
    <dt>Valid until</dt>
    <dd>{dayText(validUntil)}</dd>
    <dt>Uploaded</dt>
    <dd>{dayText(uploadedAt)}</dd>
  </dl>
);
