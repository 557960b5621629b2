import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { Affected } from '../../shell/affected.tsx';
import { to } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';
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
  return (
    <Confirm
      title={`Delete “${streamId}”?`}
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
      <Affected impact={impact} verb="depend on" nothing="Nothing reads it." />
    </Confirm>
  );
}
