import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { useQuery } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { Referrers } from '../../shell/referrers.tsx';
import { objectType, typeOf } from '../../shell/types.ts';
import { to } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Loading } from '../../ui/states.tsx';

const EFFECTS: Readonly<Record<string, string>> = {
  breaks: 'would fail',
  loses_columns: 'would lose columns',
  outdated: 'would get no new rows',
  unknown: 'reads it',
};

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
      title={`Delete ${name}?`}
      action={isChanged ? undefined : 'Delete'}
      isBusy={remove.isRunning}
      problem={remove.problem}
      submit={() => remove.run()}
      close={close}
    >
      <p>All versions and the {counted(rowCount, 'row')} are deleted. This cannot be undone.</p>
      {impact.isLoading && <Loading rows={2} />}
      {impact.data && <Affected affected={impact.data.affected} />}
      {isChanged && (
        <p>Another person has changed it in the meantime. Close this and look at the changes before you delete it.</p>
      )}
      <Referrers problem={remove.problem} />
    </Confirm>
  );
}

function Affected({ affected }: { affected: readonly Types.AffectedObject[] }) {
  if (affected.length === 0) return <p>Nothing uses it.</p>;
  return (
    <>
      <p>
        {counted(affected.length, 'object')} {affected.length === 1 ? 'uses' : 'use'} it:
      </p>
      <ul class="used">
        {affected.map(({ type, id, name, effect }) => (
          <li key={`${type} ${id}`}>
            <ObjectLink type={objectType(type)} id={id} name={name} />{' '}
            <span class="hint">
              {typeOf(objectType(type)).label}: {EFFECTS[effect] ?? effect}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
