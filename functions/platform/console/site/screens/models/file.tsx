import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { ApiError, api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Referrers } from '../../shell/referrers.tsx';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { YamlBox } from '../../ui/yaml-box.tsx';
import type { Mark, YamlEditor } from '../../ui/yaml-editor.ts';
import type { PartProps } from './part-props.ts';

interface FileText {
  text: string;
  revision: number;
}

/** The model as one YAML file. */
export function File({ model, canEdit }: PartProps) {
  const { data, error, refresh } = useQuery(['models', model.id, 'file'], () => readFile(model.id));
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={10} />;
  return <Editor key={data.text} id={model.id} name={model.name} file={data} canEdit={canEdit} />;
}

async function readFile(id: string): Promise<FileText> {
  // The revision of the model counts changes of all its parts only in the reply to the file.
  const reply = await api.models.exportFile(id);
  return { text: await reply.text(), revision: Number(/\d+/.exec(reply.headers.get('etag') ?? '')?.[0] ?? 0) };
}

/** Of an error that the API has placed in the file. */
const markOf = ({ position, message }: Types.ModelFileError): Mark => ({
  line: position?.line ?? 1,
  column: position?.column ?? 1,
  message,
});

interface EditorProps {
  id: string;
  name: string;
  file: FileText;
  canEdit: boolean;
}

function Editor({ id, name, file, canEdit }: EditorProps) {
  const text = useSignal(file.text);
  const base = useSignal(file.revision);
  const report = useSignal<Types.ModelFileReport | undefined>(undefined);
  const issues = useSignal<readonly Types.ModelFileError[]>([]);
  const theirs = useSignal<FileText | undefined>(undefined);
  const editor = useRef<YamlEditor | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => issues.value.map(markOf), [issues.value]);
  const send = useAction(async (dryRun: boolean, force: boolean) => {
    report.value = undefined;
    issues.value = [];
    theirs.value = undefined;
    const ifMatch = base.peek() === 0 ? {} : { ifMatch: base.peek() };
    try {
      const found = await api.models.importFile(id, text.peek(), { dryRun, force }, ifMatch);
      report.value = found;
      if (dryRun) return;
      toast('The file is saved.');
      await refreshQueries(['models', id]);
    } catch (problem) {
      if (problem instanceof ApiError) {
        if (problem.status === 412) theirs.value = await readFile(id);
        issues.value = (problem.errors as Types.ModelFileError[]).filter(({ position }) => position !== undefined);
      }
      throw problem;
    }
  });
  const isChanged = text.value !== file.text;
  useUnsaved(isChanged, place);
  const isInUse = send.problem?.code === 'REFERENCED';
  return (
    <div class="model-file" ref={place}>
      <YamlBox
        label={`${name} as YAML`}
        text={file.text}
        isReadOnly={!canEdit}
        marks={marks}
        onChange={(next) => {
          text.value = next;
        }}
        onReady={(made) => {
          editor.current = made;
        }}
      />
      {canEdit && <p class="hint">Parts that the file does not have are removed from the model when it is saved.</p>}
      {issues.value.length > 0 && (
        <div role="alert">
          <ul class="diagnostics">
            {marks.map((mark) => (
              <li key={`${mark.line} ${mark.column} ${mark.message}`} class="error">
                <button type="button" onClick={() => editor.current?.show(mark)}>
                  Line {mark.line}, column {mark.column}
                </button>{' '}
                {mark.message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {theirs.value ? (
        <Changed
          keepMine={() => {
            base.value = theirs.peek()!.revision;
            void send.run(false, false);
          }}
          takeTheirs={() => {
            base.value = theirs.peek()!.revision;
            editor.current?.replace(theirs.peek()!.text);
            theirs.value = undefined;
            send.clear();
          }}
        >
          Their file is below, yours is above.
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls. */}
          <pre class="their-file" tabIndex={0}>
            {theirs.value.text}
          </pre>
        </Changed>
      ) : (
        <>
          {issues.value.length === 0 && <Issue problem={send.problem} />}
          <Referrers problem={send.problem} />
          {canEdit && (
            <div class="actions">
              <Button isBusy={send.isRunning} disabled={!isChanged} onClick={() => void send.run(true, false)}>
                Check
              </Button>
              <Button
                look={isInUse ? 'danger' : 'main'}
                isBusy={send.isRunning}
                disabled={!isChanged}
                onClick={() => void send.run(false, isInUse)}
              >
                {isInUse ? 'Save anyway' : 'Save'}
              </Button>
              <Button disabled={!isChanged} onClick={() => editor.current?.replace(file.text)}>
                Discard
              </Button>
            </div>
          )}
        </>
      )}
      <div role="status">{report.value?.dryRun && <Report report={report.value} />}</div>
    </div>
  );
}

const KINDS = {
  tables: 'Tables',
  fields: 'Fields',
  transforms: 'Steps',
  relationships: 'Relationships',
  hierarchies: 'Hierarchies',
  measures: 'Measures',
  rollups: 'Rollups',
  policies: 'Policies',
} as const;

/** What the file would change. */
function Report({ report }: { report: Types.ModelFileReport }) {
  const kinds = (Object.keys(KINDS) as (keyof typeof KINDS)[]).filter((kind) => report[kind].total > 0);
  if (kinds.length === 0 && report.model.length === 0) return <p>The file changes nothing.</p>;
  return (
    <>
      <p>The file is valid. Saving it would change:</p>
      <ul class="report">
        {report.model.length > 0 && <li>the model: {report.model.join(', ')}</li>}
        {kinds.map((kind) => {
          const { added, changed, removed } = report[kind];
          const parts = [
            added.length > 0 && `added ${added.join(', ')}`,
            changed.length > 0 &&
              `changed ${changed.map((each) => `${each.name} (${each.members.join(', ')})`).join(', ')}`,
            removed.length > 0 && `removed ${removed.join(', ')}`,
          ];
          return (
            <li key={kind}>
              {KINDS[kind]}: {parts.filter(Boolean).join('; ')}
            </li>
          );
        })}
      </ul>
    </>
  );
}
