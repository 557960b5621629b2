import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { NotLoaded } from '../../../ui/lazy-part.tsx';
import { loadScript } from '../../../ui/loading.ts';
import { Loading } from '../../../ui/states.tsx';
import { YamlBox } from '../../../ui/yaml-box.tsx';
import type { Mark, YamlEditor } from '../../../ui/yaml-editor.ts';
import { type DraftDag, isDag } from './draft.ts';
import type { Editing } from './editing.ts';
import type { Validation } from './validation.ts';

type Yaml = typeof import('../../../../../../../shared/platform/validation/yaml.ts');

interface YamlPaneProps {
  editing: Editing;
  validation: Validation;
}

/** The same draft as a text. While the text cannot be read, the graph stays as it was. */
export function YamlPane({ editing, validation }: YamlPaneProps) {
  const [yaml, setYaml] = useState<Yaml | undefined>(undefined);
  const [error, setError] = useState<Error>();
  useEffect(() => {
    loadScript(() => import('../../../../../../../shared/platform/validation/yaml.ts')).then(setYaml, setError);
  }, []);
  if (error) return <NotLoaded error={error} />;
  return yaml ? <YamlField editing={editing} validation={validation} yaml={yaml} /> : <Loading rows={6} />;
}

function YamlField({ editing, validation, yaml }: YamlPaneProps & { yaml: Yaml }) {
  const { dag, name } = editing.content.value;
  const [text, setText] = useState(() => yaml.writeYaml(dag));
  const [unread, setUnread] = useState<Mark | undefined>(undefined);
  const editor = useRef<YamlEditor | undefined>(undefined);
  /** The definition that the text stands for, and the text that the editor has. */
  const own = useRef({ dag, text });
  useEffect(() => {
    if (own.current.dag === dag) return;
    own.current = { dag, text: yaml.writeYaml(dag) };
    setText(own.current.text);
    setUnread(undefined);
    editor.current?.replace(own.current.text);
  }, [dag]);
  const read = (typed: string) => {
    if (typed === own.current.text) return;
    own.current.text = typed;
    setText(typed);
    const found = dagIn(typed, yaml);
    const isDefinition = 'steps' in found;
    setUnread(isDefinition ? undefined : found);
    if (!isDefinition) return;
    own.current.dag = found;
    editing.change({ name, dag: found });
  };
  const places = useMemo(
    () => (unread ? [] : placesIn(text, yaml, dag, validation)),
    [text, unread, dag, validation.issues],
  );
  const marks = useMemo(() => (unread ? [unread] : places), [unread, places]);
  return (
    <div class="yaml-pane">
      <p class="hint">The same draft as in the graph.</p>
      <YamlBox
        label="Definition"
        text={text}
        isReadOnly={false}
        marks={marks}
        onChange={read}
        onReady={(made) => {
          editor.current = made;
        }}
      />
      {unread && (
        <p class="issue" role="alert">
          Line {unread.line}, column {unread.column}: {unread.message} The graph stays as it was.
        </p>
      )}
      {places.length > 0 && (
        <ul class="issue-box issue-list" aria-label="Issues">
          {places.map((place) => (
            <li key={`${place.line} ${place.message}`}>
              <button type="button" class="as-link" onClick={() => editor.current?.show(place)}>
                Line {place.line}
              </button>
              : {place.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The definition of a text, or where and why it is none. */
function dagIn(text: string, { readYaml }: Yaml): DraftDag | Mark {
  try {
    const { value } = readYaml(text);
    const message = 'The definition needs steps, each with its own id, a type and config.';
    return isDag(value) ? value : { line: 1, column: 1, message };
  } catch (error) {
    const { position, message } = error as { position?: { line: number; column: number }; message: string };
    if (!position) throw error;
    return { ...position, message };
  }
}

/** The issues of the draft at their places in the text, from top to bottom. */
function placesIn(text: string, yaml: Yaml, dag: DraftDag, { count, issues }: Validation): Mark[] {
  if (count === 0) return [];
  const document = yaml.readYaml(text);
  return [...issues]
    .flatMap(([id, all]) =>
      all.map(({ pointer, message }) => {
        const index = dag.steps.findIndex((step) => step.id === id);
        const { line, column } = document.positionOf(index === -1 ? pointer : `/steps/${index}${pointer}`);
        return { line, column, message };
      }),
    )
    .sort((one, other) => one.line - other.line);
}
