import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import type { BoardDraft } from '../../data/board-draft.ts';
import { ApiError, api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { issueText } from '../../ui/place-name.ts';
import { Issue, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { YamlBox } from '../../ui/yaml-box.tsx';
import type { Mark, YamlEditor } from '../../ui/yaml-editor.ts';

interface Read {
  yaml: string;
  etag: string;
}

/** Without a mark, it concerns the whole file. */
interface Place {
  mark: Mark | undefined;
  message: string;
}

/** The dashboard as one YAML file, to read and to edit. Nothing of it is saved if anything is wrong. */
export default function File({ draft }: { draft: BoardDraft }) {
  const [read, setRead] = useState<Read | undefined>(undefined);
  const [text, setText] = useState('');
  const [issues, setIssues] = useState<readonly Place[]>([]);
  const [report, setReport] = useState<Types.DashboardFileReport | undefined>(undefined);
  const editor = useRef<YamlEditor | undefined>(undefined);
  const tab = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => issues.flatMap(({ mark }) => mark ?? []), [issues]);
  const load = useAction(async () => {
    await draft.flush();
    const reply = await api.dashboards.exportFile(draft.id);
    const yaml = await reply.text();
    setRead({ yaml, etag: reply.headers.get('etag') ?? '' });
    setText(yaml);
    editor.current?.replace(yaml);
    setIssues([]);
    setReport(undefined);
  });
  useEffect(() => void load.run(), []);
  const send = useAction(async (dryRun: boolean) => {
    setIssues([]);
    setReport(undefined);
    const put = (yaml: string, options: { ifMatch?: string } = {}) =>
      api.dashboards.importFile(draft.id, yaml, { dryRun }, options);
    try {
      if (dryRun) return setReport(await put(text));
      const before = read!.yaml;
      await draft.structure(() => put(text, { ifMatch: read!.etag }));
      const again = async (yaml: string) =>
        void (await draft.structure(() => api.dashboards.importFile(draft.id, yaml)));
      draft.history.add({ label: 'Change the file', undo: () => again(before), redo: () => again(text) });
      toast('The file is saved.');
      await load.run();
    } catch (error) {
      setIssues(placesOf(error));
      throw error;
    }
  });
  const isChanged = read !== undefined && text !== read.yaml;
  useUnsaved(isChanged, tab);
  if (!read) return load.problem ? <Issue problem={load.problem} /> : <Loading rows={8} />;
  const isStale = send.problem?.kind === 'changed';
  return (
    <div class="file-tab" ref={tab}>
      <YamlBox
        label="The dashboard as YAML"
        text={text}
        isReadOnly={false}
        marks={marks}
        onChange={setText}
        onReady={(made) => {
          editor.current = made;
        }}
      />
      <div class="actions">
        <Button isBusy={send.isRunning} disabled={!isChanged} onClick={() => void send.run(true)}>
          Check
        </Button>
        <Button look="main" isBusy={send.isRunning} disabled={!isChanged} onClick={() => void send.run(false)}>
          Save
        </Button>
        <Button look="plain" disabled={!isChanged && !isStale} onClick={() => void load.run()}>
          {isStale ? 'Read it again, without my changes' : 'Discard'}
        </Button>
      </div>
      {issues.length > 0 && (
        <div class="issue-box" role="alert">
          <ul class="gates">
            {issues.map(({ mark, message }) => (
              <li key={`${mark?.line} ${mark?.column} ${message}`}>
                {mark !== undefined && (
                  <>
                    <button type="button" class="as-link" onClick={() => editor.current?.show(mark)}>
                      Line {mark.line}
                    </button>
                    :{' '}
                  </>
                )}
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Issue problem={issues.length > 0 ? undefined : send.problem} />
      {report && <p role="status">{summaryOf(report)}</p>}
    </div>
  );
}

function placesOf(error: unknown): readonly Place[] {
  if (!(error instanceof ApiError)) return [];
  const found = error.errors.map(({ position, message, pointer }) => ({
    mark: position && { line: position.line, column: position.column, message },
    message: position ? message : issueText({ pointer, message }),
  }));
  return problemOf(error).kind === 'changed' ? [] : found;
}

function summaryOf({ pages, cards, filters, dashboard }: Types.DashboardFileReport): string {
  const parts = [
    ['page', pages],
    ['card', cards],
    ['filter', filters],
  ] as const;
  const changes = parts.flatMap(([noun, { added, changed, removed }]) => [
    ...(added.length > 0 ? [`${counted(added.length, noun)} added`] : []),
    ...(changed.length > 0 ? [`${counted(changed.length, noun)} changed`] : []),
    ...(removed.length > 0 ? [`${counted(removed.length, noun)} removed`] : []),
  ]);
  const own = dashboard.length > 0 ? [`${dashboard.join(', ')} changed`] : [];
  const all = [...own, ...changes];
  return all.length > 0 ? `Saving it means: ${all.join(', ')}.` : 'The file changes nothing.';
}
