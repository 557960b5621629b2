import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { useQuery } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { Affected } from '../../shell/affected.tsx';
import { Referrers } from '../../shell/referrers.tsx';
import { to } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';

/** Says what the removal would break before it is done. */
export function Delete({ dataset: { id, name, rowCount, revision }, close }: { dataset: Dataset; close: () => void }) {
  const { route } = useLocation();
  const impact = useQuery(['datasets', id, 'impact'], () => api.catalog.getImpact('dataset', id));
  const remove = useAction(async () => {
    await api.datasets.delete(id, { ifMatch: revision });
    forget({ type: 'dataset', id });
    route(to('/datasets'));
  });
  const isChanged = remove.problem?.kind === 'changed';
  return (
    <Confirm
      title={`Delete “${name}”?`}
      action={isChanged ? undefined : 'Delete'}
      isBusy={remove.isRunning}
      problem={remove.problem}
      submit={() => remove.run()}
      close={close}
    >
      <p>All versions and the {counted(rowCount, 'row')} are deleted. This cannot be undone.</p>
      <Affected impact={impact} verb="use" nothing="Nothing uses it." unknown="reads it" />
      {isChanged && (
        <p>Another person has changed it in the meantime. Close this and look at the changes before you delete it.</p>
      )}
      <Referrers problem={remove.problem} />
    </Confirm>
  );
}
