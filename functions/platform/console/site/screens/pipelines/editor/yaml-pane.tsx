import { useEffect, useRef, useState } from 'preact/hooks';
import { CodeField } from '../../../ui/code-field.tsx';
import { Loading } from '../../../ui/states.tsx';
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
  useEffect(() => {
    void import('../../../../../../../shared/platform/validation/yaml.ts').then(setYaml);
  }, []);
  return yaml ? <YamlField editing={editing} validation={validation} yaml={yaml} /> : <Loading rows={6} />;
}

function YamlField({ editing, validation, yaml }: YamlPaneProps & { yaml: Yaml }) {
  const { dag, name } = editing.content.value;
  const [text, setText] = useState(() => yaml.writeYaml(dag));
  const [issue, setIssue] = useState<string | undefined>(undefined);
  /** The definition that the text stands for. */
  const own = useRef(dag);
  useEffect(() => {
    if (own.current === dag) return;
    own.current = dag;
    setText(yaml.writeYaml(dag));
    setIssue(undefined);
  }, [dag]);
  const read = (typed: string) => {
    setText(typed);
    const found = dagIn(typed, yaml);
    setIssue(typeof found === 'string' ? found : undefined);
    if (typeof found === 'string') return;
    own.current = found;
    editing.change({ name, dag: found });
  };
  return (
    <div class="yaml-pane">
      <CodeField
        label="Definition"
        hint="The same draft as in the graph."
        issue={issue}
        rows={16}
        maxRows={24}
        value={text}
        onChange={read}
      />
      {issue === undefined && <Places text={text} yaml={yaml} dag={dag} validation={validation} />}
    </div>
  );
}

/** The definition of a text, or why it is none. */
function dagIn(text: string, { readYaml }: Yaml): DraftDag | string {
  try {
    const { value } = readYaml(text);
    return isDag(value)
      ? value
      : 'Line 1: the definition needs steps, each with its own id, a type and config. The graph stays as it was.';
  } catch (error) {
    const { position, message } = error as { position?: { line: number; column: number }; message: string };
    if (!position) throw error;
    return `Line ${position.line}, column ${position.column}: ${message} The graph stays as it was.`;
  }
}

interface PlacesProps {
  text: string;
  yaml: Yaml;
  dag: DraftDag;
  validation: Validation;
}

/** The issues of the draft, with their lines in the text. */
function Places({ text, yaml, dag, validation }: PlacesProps) {
  if (validation.count === 0) return null;
  const document = yaml.readYaml(text);
  const all = [...validation.issues].flatMap(([id, issues]) =>
    issues.map(({ pointer, message }) => {
      const index = dag.steps.findIndex((step) => step.id === id);
      const whole = index === -1 ? pointer : `/steps/${index}${pointer}`;
      return { line: document.positionOf(whole).line, message };
    }),
  );
  return (
    <ul class="issue-box issue-list" aria-label="Issues">
      {all
        .sort((one, other) => one.line - other.line)
        .map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            Line {line}: {message}
          </li>
        ))}
    </ul>
  );
}
