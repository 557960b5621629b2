import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { saveFile } from '../../data/files.ts';
import { refreshQueries } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Issue } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { TERM_LABELS } from './term-draft.ts';

interface Checked {
  csv: string;
  name: string;
  report: Types.TermImport;
}

/** The glossary as a CSV file: saves it, or reads one after showing what it would change. */
export function TermFile({ canWrite }: { canWrite: boolean }) {
  const picker = useRef<HTMLInputElement>(null);
  const checked = useSignal<Checked | undefined>(undefined);
  const save = useAction(async () => {
    const reply = await api.terms.export({ accept: 'text/csv' });
    await saveFile(reply, 'glossary.csv');
  });
  const check = useAction(async (file: File) => {
    const csv = await file.text();
    checked.value = { csv, name: file.name, report: await api.terms.import({ csv }, { dryRun: true }) };
  });
  const apply = useAction(async () => {
    const { created, updated, proposed, finished } = await api.terms.import({ csv: checked.peek()!.csv });
    await refreshQueries(['terms']);
    toast(`${importText({ created, updated, proposed })}${finished ? '' : ' The rest is still being imported.'}`);
  });
  return (
    <>
      <Menu
        label="Glossary as a file"
        isRight
        class="icon-only"
        choices={[
          [
            { label: 'Save as CSV', icon: 'download', run: () => void save.run() },
            ...(canWrite ? [{ label: 'Import CSV', icon: 'upload' as const, run: () => picker.current!.click() }] : []),
          ],
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
      <input
        ref={picker}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="CSV file of terms"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) void check.run(file);
        }}
      />
      {check.problem && (
        <Dialog title="The file cannot be imported" close={check.clear}>
          <p>Nothing was changed.</p>
          <Issue problem={check.problem} />
          <div class="actions">
            <Button onClick={check.clear}>Close</Button>
          </div>
        </Dialog>
      )}
      <Issue problem={save.problem} />
      {checked.value && (
        <Dialog
          title={`Import ${checked.value.name}`}
          action={changesOf(checked.value.report) > 0 ? 'Import' : undefined}
          isBusy={apply.isRunning}
          problem={apply.problem}
          submit={apply.run}
          close={() => {
            checked.value = undefined;
          }}
        >
          <Preview report={checked.value.report} />
        </Dialog>
      )}
    </>
  );
}

const changesOf = ({ created, updated, proposed }: Types.TermImport): number => created + updated + proposed;

function importText({
  created,
  updated,
  proposed,
}: Pick<Types.TermImport, 'created' | 'updated' | 'proposed'>): string {
  const parts = [
    created > 0 && `${counted(created, 'term')} created`,
    updated > 0 && `${updated} updated`,
    proposed > 0 && `${proposed} proposed`,
  ].filter(Boolean);
  return parts.length === 0 ? 'Nothing changes.' : `${parts.join(', ')}.`;
}

const LABELS: Readonly<Record<string, string>> = TERM_LABELS;
const MAX_LISTED = 100;

function Preview({ report }: { report: Types.TermImport }) {
  const { changes, unchanged } = report;
  return (
    <>
      <p>
        {importText(report)} {unchanged > 0 && `${counted(unchanged, 'row')} would not change.`}
      </p>
      <ul class="used">
        {changes.slice(0, MAX_LISTED).map(({ line, name, action, members }) => (
          <li key={line}>
            {name}{' '}
            <span class="hint">
              line {line}: {action}
              {action !== 'created' && ` (${members.map((each) => LABELS[each]?.toLowerCase() ?? each).join(', ')})`}
            </span>
          </li>
        ))}
      </ul>
      {changesOf(report) > MAX_LISTED && <p class="hint">The first {MAX_LISTED} changes are listed.</p>}
    </>
  );
}
