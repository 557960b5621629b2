import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';
import { bodyOf, NEW_TERM } from './term-draft.ts';
import { TermFields, unshown } from './term-fields.tsx';

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
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <TermFields
          draft={draft.value}
          set={(change) => {
            draft.value = { ...draft.peek(), ...change };
          }}
          problem={create.problem}
        />
        <Issue problem={unshown(create.problem)} />
        <div class="actions">
          <Button type="submit" look="main" isBusy={create.isRunning}>
            Create
          </Button>
          <Link to="/catalog/terms" class="button">
            Cancel
          </Link>
        </div>
      </form>
    </Page>
  );
}
