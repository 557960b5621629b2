import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { RecordForm } from '../../shell/record-form.tsx';
import { to } from '../../ui/address.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { bodyOf, NEW_TERM } from './term-draft.ts';
import { FIELDS, TermFields } from './term-fields.tsx';

export default function NewTerm() {
  const { route } = useLocation();
  const draft = useSignal(NEW_TERM);
  const create = useAction(async () => {
    const { id } = await api.terms.create(bodyOf(draft.peek()));
    await refreshQueries(['terms']);
    route(to(`/catalog/terms/${id}`));
  });
  return (
    <Page title="New term" lead="A term defines a word, so that everyone uses it in the same sense.">
      <RecordForm
        action="Create"
        saving={create}
        fields={FIELDS}
        others={
          <Link to="/catalog/terms" class="button">
            Cancel
          </Link>
        }
      >
        <TermFields draft={draft} problem={create.problem} />
      </RecordForm>
    </Page>
  );
}
