import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { to } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Loading } from '../../ui/states.tsx';
import type { Stream } from './streams.ts';

/** Says what reads the stream before it is deleted. */
export function Delete({ stream: { id, streamId }, close }: { stream: Stream; close: () => void }) {
  const { route } = useLocation();
  const impact = useQuery(['streams', id, 'impact'], () => api.catalog.getImpact('cdc-stream', id));
  const remove = useAction(async () => {
    await api.cdcStreams.delete(id);
    forget({ type: 'cdc_stream', id });
    await refreshQueries(['streams']);
    route(to('/streams'));
  });
  const affected = impact.data?.affected ?? [];
  return (
    <Confirm
      title={`Delete ${streamId}?`}
      action="Delete"
      name={streamId}
      isBusy={remove.isRunning || impact.isLoading}
      problem={remove.problem}
      submit={() => remove.run()}
      close={close}
    >
      <p>
        Its captured changes are deleted, and its slot and publication are dropped within a minute, or as soon as the
        source can be reached. Datasets keep the rows that were loaded.
      </p>
      {impact.isLoading && <Loading rows={2} />}
      {impact.data && affected.length === 0 && <p>Nothing reads it.</p>}
      {affected.length > 0 && (
        <>
          <p>
            {counted(affected.length, 'object')} {affected.length === 1 ? 'depends' : 'depend'} on it:
          </p>
          <ul class="used">
            {affected.map(({ type, id: usedBy, name }) => (
              <li key={`${type} ${usedBy}`}>
                <ObjectLink
                  type={type === 'source' ? 'data_source' : type.replaceAll('-', '_')}
                  id={usedBy}
                  name={name}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  );
}
