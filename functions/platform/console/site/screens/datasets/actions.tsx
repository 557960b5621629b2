import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { type Dataset, downloadDataset } from '../../data/datasets.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { refreshQueries } from '../../data/query.ts';
import { MAX_ROWS } from '../../data/sql.ts';
import { started } from '../../data/started.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Issue } from '../../ui/states.tsx';
import { Delete } from './delete.tsx';
import { Rename } from './rename.tsx';
import { Schedule } from './schedule.tsx';
import { Tags } from './tags.tsx';

const DIALOGS = { rename: Rename, tags: Tags, schedule: Schedule, delete: Delete } as const;

/** What a person may do with the dataset. */
export function Actions({ dataset }: { dataset: Dataset }) {
  const canEdit = hasRole(useMe().data, 'editor');
  const [opened, open] = useState<keyof typeof DIALOGS | undefined>(undefined);
  const refresh = useAction(async () => {
    await started(api.datasets.refresh(dataset.id));
    await refreshQueries(['datasets', dataset.id]);
  });
  const download = useAction((format: 'csv' | 'parquet') => downloadDataset(dataset, format));
  if (!canEdit) return null;
  const Dialog = opened && DIALOGS[opened];
  const hint = dataset.rowCount > MAX_ROWS ? 'first 50,000 rows' : undefined;
  const offer = (format: 'csv' | 'parquet', label: string) => ({
    label,
    icon: 'download' as const,
    ...(hint && { hint }),
    run: () => void download.run(format),
  });
  return (
    <>
      {dataset.source && (
        <Button icon="refresh-cw" isBusy={refresh.isRunning} onClick={() => void refresh.run()}>
          Refresh
        </Button>
      )}
      <Menu
        label="More actions"
        isRight
        class="icon-only"
        choices={[
          [
            { label: 'Rename', icon: 'pencil', run: () => open('rename') },
            { label: 'Tags', icon: 'list', run: () => open('tags') },
            ...(dataset.source ? [{ label: 'Schedule', icon: 'clock' as const, run: () => open('schedule') }] : []),
          ],
          dataset.version === 0
            ? []
            : [
                { label: 'Query in SQL', icon: 'terminal' as const, href: to('/sql', { table: dataset.name }) },
                offer('csv', 'Download as CSV'),
                offer('parquet', 'Download as Parquet'),
              ],
          [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => open('delete') }],
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
      {download.isRunning && (
        <span class="hint" role="status">
          Preparing the file …
        </span>
      )}
      <Issue problem={refresh.problem ?? download.problem} />
      {Dialog && <Dialog dataset={dataset} close={() => open(undefined)} />}
    </>
  );
}
