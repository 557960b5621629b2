import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { stepSchemas } from '../../../data/step-schemas.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, SelectField } from '../../../ui/field.tsx';
import { issueText } from '../../../ui/place-name.ts';
import { type Issues, SchemaForm } from '../../../ui/schema-form.tsx';
import { useInputColumns } from './columns.ts';
import {
  canFollow,
  type DraftDag,
  type DraftStep,
  freeId,
  portsOf,
  stepOf,
  withChanged,
  withEdge,
  withId,
} from './draft.ts';
import type { Editing } from './editing.ts';
import type { StepIssue } from './issues.ts';
import { kindOf, modesOf, nameFromObject, schemaOf } from './kinds.ts';
import { pickerOf } from './pickers.tsx';
import { Suggest } from './suggest.tsx';

interface StepFormProps {
  editing: Editing;
  pipelineId: string | undefined;
  step: DraftStep;
  issues: readonly StepIssue[];
  /** The step has another id. */
  renamed: (id: string) => void;
}

/** The settings of a step, from the schema of its kind. */
export function StepForm({ editing, pipelineId, step, issues, renamed }: StepFormProps) {
  const { dag, name } = editing.content.value;
  const { id, config } = step;
  const kind = kindOf(step);
  const schema = stepSchemas[schemaOf(step) ?? 'SqlConfig'];
  const columns = useInputColumns(pipelineId, dag, step);
  const special = pickerOf({ step, columns });
  const change = (changed: Partial<DraftStep>) => editing.change({ name, dag: withChanged(dag, id, changed) });
  const rename = (next: string) => {
    if (next === id || next === '') return;
    const free = freeId(dag, next);
    editing.restructure(withId(dag, id, free));
    renamed(free);
  };
  const modes = kind ? modesOf(kind) : [];
  // An extract gets the name of what it reads once the field is left: while it is typed, the step keeps its name.
  const nextName = useRef<string | undefined>(undefined);
  const onLeft = () => {
    if (nextName.current) rename(nextName.current);
    nextName.current = undefined;
  };
  return (
    <div class="form" onChange={onLeft}>
      <IssueList issues={issues} />
      <NameField id={id} issue={issueAt(issues, '/id')} rename={rename} />
      <Inputs editing={editing} dag={dag} step={step} issues={issues} />
      {modes.length > 0 && (
        <SelectField
          label="Mode"
          hint={MODE_HINTS[String(config.mode)]}
          issue={issueAt(issues, '/config/mode')}
          value={String(config.mode)}
          onChange={({ currentTarget }) => change({ config: withMode(step, currentTarget.value) })}
        >
          {modes.map((mode) => (
            <option key={mode} value={mode}>
              {mode}
            </option>
          ))}
        </SelectField>
      )}
      {kind?.id === 'recipe' && pipelineId !== undefined && (
        <Suggest
          pipelineId={pipelineId}
          step={step}
          take={(ops) => editing.jump({ name, dag: withChanged(dag, id, { config: { ...config, ops } }) })}
        />
      )}
      {schema && (
        <SchemaForm
          schema={schema}
          at="/config"
          omit={modes.length > 0 ? ['mode'] : []}
          value={config}
          issues={issues as Issues}
          special={special}
          foldsDefaults
          onChange={(next) => {
            const cleaned = withoutAbsent(next);
            nextName.current = nameFromObject(dag, { ...step, config: cleaned });
            change({ config: cleaned });
          }}
        />
      )}
      <Retry step={step} issues={issues} change={change} special={special} />
    </div>
  );
}

/** The settings for another mode: those that it does not have are gone, and those that it needs begin empty. */
function withMode({ type, config }: DraftStep, mode: string): Record<string, unknown> {
  const schema = stepSchemas[schemaOf({ type, config: { ...config, mode } })!];
  const known = Object.entries(config).filter(([name]) => schema?.properties?.[name] !== undefined);
  return { ...Object.fromEntries(known), mode, ...(mode === 'merge' && { mergeKey: config.mergeKey ?? [''] }) };
}

const MODE_HINTS: Readonly<Record<string, string>> = {
  append: 'Adds the rows to those that are there.',
  overwrite: 'Replaces the rows that are there.',
  merge: 'Replaces rows with the same key, and adds the others.',
};

const issueAt = (issues: readonly StepIssue[], pointer: string): string | undefined =>
  issues.find((issue) => issue.pointer === pointer)?.message;

/** Without members that fields have emptied. */
const withoutAbsent = (config: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));

export const IssueList = ({ issues }: { issues: readonly StepIssue[] }) =>
  issues.length === 0 ? null : (
    <ul class="issue-box issue-list" aria-label="Issues">
      {issues.map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          {pointer === '/config' ? `The settings: ${message}` : issueText({ pointer, message })}
        </li>
      ))}
    </ul>
  );

function NameField({ id, issue, rename }: { id: string; issue: string | undefined; rename: (next: string) => void }) {
  const [text, setText] = useState(id);
  useEffect(() => setText(id), [id]);
  return (
    <Field
      label="Name of the step"
      required
      maxLength={64}
      pattern="[A-Za-z0-9][A-Za-z0-9_\-]*"
      autocomplete="off"
      spellcheck={false}
      issue={issue}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onChange={() => rename(text.trim())}
    />
  );
}

interface InputsProps {
  editing: Editing;
  dag: DraftDag;
  step: DraftStep;
  issues: readonly StepIssue[];
}

/** What the step waits for. */
function Inputs({ editing, dag, step, issues }: InputsProps) {
  const { id, dependsOn = [], fromPorts = {} } = step;
  const others = dag.steps.filter((each) => !dependsOn.includes(each.id) && canFollow(dag, each.id, id));
  if (dependsOn.length === 0 && others.length === 0) return null;
  const set = (from: string, isWanted: boolean) => editing.restructure(withEdge(dag, from, id, isWanted));
  return (
    <fieldset class="field-group">
      <legend>Waits for</legend>
      {dependsOn.length > 0 && (
        <ul class="list inputs">
          {dependsOn.map((from) => (
            <li key={from}>
              <span>{from}</span>
              <Ports
                ports={portsOf(stepOf(dag, from))}
                value={fromPorts[from]}
                label={`Rows of ${from}`}
                issue={issueAt(issues, `/fromPorts/${from}`)}
                onChange={(port) =>
                  editing.restructure(withChanged(dag, id, { fromPorts: { ...fromPorts, [from]: port } }))
                }
              />
              <IconButton icon="x" label={`Do not wait for ${from}`} onClick={() => set(from, false)} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <SelectField label="Add" value="" onChange={({ currentTarget: { value } }) => value !== '' && set(value, true)}>
          <option value="">choose a step …</option>
          {others.map((each) => (
            <option key={each.id} value={each.id}>
              {each.id}
            </option>
          ))}
        </SelectField>
      )}
    </fieldset>
  );
}

interface PortsProps {
  ports: readonly string[] | undefined;
  value: string | undefined;
  label: string;
  issue: string | undefined;
  onChange: (port: string) => void;
}

const Ports = ({ ports, value = '', label, issue, onChange }: PortsProps) =>
  ports === undefined ? null : (
    <SelectField
      label={label}
      issue={issue}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {!ports.includes(value) && <option value={value}>{value}</option>}
      {ports.map((port) => (
        <option key={port} value={port}>
          {port}
        </option>
      ))}
    </SelectField>
  );

interface RetryProps {
  step: DraftStep;
  issues: readonly StepIssue[];
  change: (changed: Partial<DraftStep>) => void;
  special: NonNullable<Parameters<typeof SchemaForm>[0]['special']>;
}

function Retry({ step, issues, change, special }: RetryProps) {
  const { retry, when } = step as { retry?: Record<string, unknown>; when?: Record<string, unknown> };
  const has = (at: string) => issues.some(({ pointer }) => pointer.startsWith(at));
  return (
    <>
      <details open={has('/retry') || undefined}>
        <summary>Retries</summary>
        <div class="form">
          <SchemaForm
            schema={stepSchemas.StepRetry!}
            at="/retry"
            value={retry ?? {}}
            issues={issues as Issues}
            special={special}
            onChange={(next) => change({ retry: emptyIsAbsent(next) })}
          />
        </div>
      </details>
      <details open={has('/when') || when !== undefined || undefined}>
        <summary>Condition{when && ` on ${String(when.param ?? '')}`}</summary>
        <div class="form">
          <p class="hint">On a parameter of the run. A step that does not meet it is skipped.</p>
          <SchemaForm
            schema={stepSchemas.StepWhen!}
            at="/when"
            isChange
            value={when ?? {}}
            issues={issues as Issues}
            special={special}
            onChange={(next) => change({ when: emptyIsAbsent(next) })}
          />
          {when && <Remove onClick={() => change({ when: undefined })}>Remove the condition</Remove>}
        </div>
      </details>
    </>
  );
}

const Remove = ({ onClick, children }: { onClick: () => void; children: ComponentChildren }) => (
  <Button isSmall look="plain" icon="x" onClick={onClick}>
    {children}
  </Button>
);

function emptyIsAbsent(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const given = withoutAbsent(value);
  const entries = Object.entries(given).filter(([, member]) => member !== '');
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
