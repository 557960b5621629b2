import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import type { Pipeline } from '../../data/pipelines.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { Affected } from '../../shell/affected.tsx';
import { to } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';

/** Says what would no longer get rows before the pipeline is deleted. */
export function Delete({ pipeline: { id, name, revision }, close }: { pipeline: Pipeline; close: () => void }) {
  const { route } = useLocation();
  const impact = useQuery(['pipelines', id, 'impact'], () => api.catalog.getImpact('pipeline', id));
  const affected = impact.data?.affected ?? [];
  const remove = useAction(async () => {
    // What is affected is on the screen, and the person has confirmed it.
    await api.pipelines.delete(id, affected.length > 0 ? { force: true } : {}, { ifMatch: revision });
    forget({ type: 'pipeline', id });
    await refreshQueries(['pipelines']);
    route(to('/pipelines'));
  });
  const isChanged = remove.problem?.kind === 'changed';
  return (
    <Confirm
      title={`Delete “${name}”?`}
      action={isChanged ? undefined : 'Delete'}
      name={name}
      isBusy={remove.isRunning || impact.isLoading}
      problem={remove.problem}
      submit={() => remove.run()}
      close={close}
    >
      <p>Its definition is deleted and cannot be restored. Past runs and loaded rows are kept.</p>
      <Affected impact={impact} verb="depend on" nothing="Nothing depends on it." unknown="reads what it loads" />
      {isChanged && (
        <p>Another person has changed it in the meantime. Close this and look at the changes before you delete it.</p>
      )}
    </Confirm>
  );
}
