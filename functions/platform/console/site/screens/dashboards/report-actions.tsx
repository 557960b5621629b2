import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { type Format, reportFile, useExport } from '../../data/exports.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { givenValues, type Report } from '../../data/reports.ts';
import { DeleteDialog } from '../../shell/delete-record.tsx';
import { to } from '../../ui/address.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Issue } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ExportLine } from './export-line.tsx';
import { chosenOf } from './parameter-form.tsx';

const FILES = { pdf: 'PDF', docx: 'Word', xlsx: 'Excel', pptx: 'PowerPoint' } as const;

/** What a person can do with a report. */
export function ReportActions({ report }: { report: Report }) {
  const { id, name, parameters, isPublished, permission, revision } = report;
  const { route } = useLocation();
  const [isDeleting, remove] = useState(false);
  const isWriter = hasRole(useMe().data, 'editor');
  const exporting = useExport(id, reportFile);
  const write = (format: Format) => {
    const chosen = chosenOf(new URLSearchParams(location.search).get('parameters') ?? undefined, parameters);
    const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    void exporting.start(format, { parameters: givenValues(parameters, chosen), ...(timezone && { timezone }) });
  };
  const publish = useAction(async () => {
    await api.reports.update(id, { isPublished: !isPublished }, { ifMatch: revision });
    await refreshQueries(['reports']);
    toast(isPublished ? 'Only its editors see the report now.' : 'The report is published.');
  });
  return (
    <>
      <Menu
        class="bordered"
        isRight
        choices={[
          Object.entries(FILES).map(([format, label]) => ({
            label: `Download as ${label}`,
            icon: 'download' as const,
            run: () => write(format as Format),
          })),
        ]}
      >
        <Icon name="download" size={16} />
        Export
      </Menu>
      {permission === 'editor' && (
        <Menu
          label="More actions"
          isRight
          class="icon-only"
          choices={[
            [
              {
                label: isPublished ? 'Withdraw from readers' : 'Publish',
                icon: 'eye',
                run: () => void publish.run(),
              },
            ],
            isWriter ? [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => remove(true) }] : [],
          ]}
        >
          <Icon name="ellipsis" />
        </Menu>
      )}
      <ExportLine exporting={exporting} />
      <Issue problem={publish.problem} />
      {isDeleting && (
        <DeleteDialog
          what={`“${name}”`}
          remove={async () => {
            await api.reports.delete(id, { ifMatch: revision });
            forget({ type: 'report', id });
            void refreshQueries(['reports']);
            route(to('/dashboards/reports'));
            toast(`${name} is deleted.`, { action: { label: 'Restore', run: () => void restore(id) } });
          }}
          close={() => remove(false)}
        >
          The report and its links no longer open, and its subscriptions stop. It can be restored for 30 days.
        </DeleteDialog>
      )}
    </>
  );
}

async function restore(id: string): Promise<void> {
  await api.reports.restore(id).catch((error: Error) => toast(error.message, { isFailed: true }));
  void refreshQueries(['reports']);
}
