import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import type { Pipeline } from '../../data/pipelines.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { typeOf } from '../../shell/types.ts';
import { to } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Loading } from '../../ui/states.tsx';

const EFFECTS: Readonly<Record<string, string>> = {
  breaks: 'would fail',
  loses_columns: 'would lose columns',
  outdated: 'would get no new rows',
  unknown: 'reads what it loads',
};

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
      title={`Delete ${name}?`}
      action={isChanged ? undefined : 'Delete'}
      name={name}
      isBusy={remove.isRunning || impact.isLoading}
      problem={remove.problem}
      submit={() => remove.run()}
      close={close}
    >
      <p>Its definition is deleted and cannot be restored. Past runs and loaded rows are kept.</p>
      {impact.isLoading && <Loading rows={2} />}
      {impact.data && <Affected affected={affected} />}
      {isChanged && (
        <p>Another person has changed it in the meantime. Close this and look at the changes before you delete it.</p>
      )}
    </Confirm>
  );
}

function Affected({ affected }: { affected: readonly Types.AffectedObject[] }) {
  if (affected.length === 0) return <p>Nothing depends on it.</p>;
  return (
    <>
      <p>
        {counted(affected.length, 'object')} {affected.length === 1 ? 'depends' : 'depend'} on it:
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

/** The type of an object as search results name it. */
const objectType = (type: string): string => (type === 'source' ? 'data_source' : type.replaceAll('-', '_'));
