import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api } from '../../../data/client.ts';
import { saveLink } from '../../../data/files.ts';
import { useQuery } from '../../../data/query.ts';
import { session } from '../../../data/session.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { bytesOf } from '../../../ui/format.ts';
import { jobStatus } from '../../../ui/job-status.ts';
import { Section } from '../../../ui/page.tsx';
import { Issue } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';

const POLL_MS = 2_000;
const OVER = ['succeeded', 'failed', 'cancelled'];
/** Of one workspace: the window may switch to another. */
const lastKey = () => `last-export ${session.value?.workspaceId}`;

/** Everything of the workspace as an archive, to keep or to take elsewhere. */
export function WorkspaceExport() {
  const [id, setId] = useState(() => sessionStorage.getItem(lastKey()) ?? undefined);
  const [withRows, setWithRows] = useState(true);
  const [isOver, setOver] = useState(false);
  const job = useQuery(['export', id], () => api.workspaces.getExport(id!), {
    enabled: id !== undefined,
    everyMs: isOver ? false : POLL_MS,
  }).data;
  if (job && OVER.includes(job.status) !== isOver) setOver(!isOver);
  const start = useAction(async () => {
    const started = await api.workspaces.startExport({ datasetRows: withRows });
    sessionStorage.setItem(lastKey(), started.id);
    setId(started.id);
  });
  const cancel = useAction(() => api.workspaces.cancelExport(id!));
  const download = useAction(async () => {
    saveLink((await api.workspaces.getExportFile(id!)).downloadUrl);
  });
  const bytes = job?.result?.bytes;
  const isActive = job !== undefined && !OVER.includes(job.status);
  return (
    <Section title="Export">
      <p class="hint">Definitions of all objects and, if you like, the rows of datasets. Secrets are not part of it.</p>
      <CheckField
        label="With the rows of datasets"
        checked={withRows}
        onChange={({ currentTarget }) => setWithRows(currentTarget.checked)}
      />
      {job && (
        <p>
          <Status kind={jobStatus(job.status)} label={job.status} />
          {typeof bytes === 'number' && ` · ${bytesOf(bytes)}`}
          {job.error && ` · ${job.error.message}`}
        </p>
      )}
      <div class="actions">
        <Button isBusy={start.isRunning || isActive} onClick={() => void start.run()}>
          Export the workspace
        </Button>
        {isActive && (
          <Button isBusy={cancel.isRunning} onClick={() => void cancel.run()}>
            Cancel
          </Button>
        )}
        {job?.status === 'succeeded' && (
          <Button look="main" icon="download" isBusy={download.isRunning} onClick={() => void download.run()}>
            Download
          </Button>
        )}
      </div>
      <Issue problem={start.problem ?? cancel.problem ?? download.problem} />
    </Section>
  );
}
