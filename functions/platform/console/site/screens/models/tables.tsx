import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import { type Model, type Field as ModelField, type Table as ModelTable, useTables } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, Field, SelectField, TextField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useChosen } from './chosen.ts';
import { FieldForm } from './field-form.tsx';
import { PartForm } from './part-form.tsx';
import { type EditPart, PartName } from './part-list.tsx';
import type { PartProps } from './part-props.ts';

/** The tables of the model and the fields of each. */
export function Tables(part: PartProps) {
  const { model, canEdit, query } = part;
  const { data: tables, error, refresh } = useTables(model.id);
  const { choose } = useChosen(part, 'table');
  const editing = useChosen(part);
  const isImporting = useSignal(false);
  if (!tables) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />;
  if (tables.length === 0 || isImporting.value) {
    if (!canEdit) return <Empty icon="table" title="There are no tables yet" />;
    return <Import model={model} tables={tables} close={() => (isImporting.value = false)} />;
  }
  const table = tables.find(({ id }) => id === query.table) ?? tables[0]!;
  const field = table.fields.find(({ id }) => id === editing.chosen);
  return (
    <>
      <div class="filters">
        <SelectField
          label="Table"
          value={table.id}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            // It stays what is shown if the person stays.
            currentTarget.value = table.id;
            choose(value, { part: '' });
          }}
        >
          {tables.map(({ id, alias, missing }) => (
            <option key={id} value={id}>
              {alias}
              {missing && ' (missing in the source)'}
            </option>
          ))}
        </SelectField>
        {canEdit && (
          <>
            <Button icon="pencil" onClick={() => editing.choose('table')}>
              Edit table
            </Button>
            <Button icon="plus" onClick={() => editing.choose('new')}>
              New field
            </Button>
            <Button icon="plus" onClick={() => (isImporting.value = true)}>
              Add tables
            </Button>
            <Resync model={model} />
          </>
        )}
      </div>
      {editing.chosen === 'table' && <TableForm key={table.id} table={table} close={editing.close} />}
      {(field || editing.chosen === 'new') && (
        <FieldForm key={editing.chosen} table={table} field={field} close={editing.close} />
      )}
      {table.missing && <p class="issue-box">The source no longer has this table.</p>}
      {table.description && <p class="hint">{table.description}</p>}
      {table.fields.length === 0 ? (
        <Empty icon="list" title="This table has no fields" />
      ) : (
        <Table
          label={`Fields of ${table.alias}`}
          columns={columnsOf(canEdit ? (id) => editing.choose(id) : undefined)}
          rows={table.fields}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}

const columnsOf = (edit: EditPart): readonly Column<ModelField>[] => [
  {
    id: 'name',
    label: 'Field',
    cell: ({ id, name, isHidden, missing, stale }) => (
      <span class="named">
        <PartName of={id} edit={edit}>
          {name}
        </PartName>
        {isHidden && <span class="hint">hidden</span>}
        {missing && <span class="issue">column is missing</span>}
        {stale && <span class="issue">broken</span>}
      </span>
    ),
  },
  { id: 'type', label: 'Type', width: '110px', cell: ({ dataType }) => <code>{dataType}</code> },
  {
    id: 'kind',
    label: 'Used as',
    width: '150px',
    cell: ({ fieldType, aggregation }) =>
      fieldType === 'measure' ? `measure, ${aggregation.replaceAll('_', ' ')}` : fieldType,
  },
  { id: 'label', label: 'Label', width: '110px', isMinor: true, cell: ({ sensitivityLabel }) => sensitivityLabel },
  {
    id: 'description',
    label: 'Description',
    isMinor: true,
    cell: ({ description, expression }) => (expression ? <code>{expression}</code> : description),
  },
];

/** Compares the model with its source; nothing is deleted. */
function Resync({ model: { id } }: { model: Model }) {
  const report = useSignal<Types.ModelSyncReport | undefined>(undefined);
  const sync = useAction(async () => {
    report.value = await api.models.resync(id);
    await refreshQueries(['models', id]);
  });
  return (
    <>
      <Button icon="refresh-cw" isBusy={sync.isRunning} onClick={() => void sync.run()}>
        Compare with the source
      </Button>
      <span role="status" class="hint">
        {report.value && syncText(report.value)}
      </span>
      <Issue problem={sync.problem} />
    </>
  );
}

function syncText({ fieldsAdded, fieldsChanged, fieldsMissing }: Types.ModelSyncReport): string {
  const parts = [
    fieldsAdded > 0 && `${counted(fieldsAdded, 'field')} added`,
    fieldsChanged.length > 0 && `${fieldsChanged.length} changed`,
    fieldsMissing.length > 0 && `${fieldsMissing.length} missing`,
  ].filter(Boolean);
  return parts.length === 0 ? 'Nothing has changed.' : `${parts.join(', ')}.`;
}

interface ImportProps {
  model: Model;
  tables: readonly ModelTable[];
  close: () => void;
}

/** Chooses tables of the source; each column becomes a field. */
function Import({ model: { id, sourceId }, tables, close }: ImportProps) {
  const isDatasets = sourceId === 'datasets';
  const datasets = useQuery(['datasets', 'names'], () => allOf(api.datasets.list({ limit: PAGE })), {
    enabled: isDatasets,
  });
  const chosen = useSignal<readonly string[]>([]);
  const typed = useSignal('');
  const add = useAction(async () => {
    const names = isDatasets
      ? chosen.peek()
      : typed
          .peek()
          .split(/[\n,]/)
          .map((name) => name.trim())
          .filter(Boolean);
    await api.models.importTables(id, names.length > 0 ? { tables: [...names] } : {});
    await refreshQueries(['models', id]);
    close();
  });
  const known = new Set(tables.map(({ sourceTable }) => sourceTable));
  const offered = datasets.data
    ?.filter(({ name }) => !known.has(name))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <Section title="Add tables">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void add.run();
        }}
      >
        {isDatasets ? (
          <fieldset class="field-group choices">
            <legend>Datasets</legend>
            {!offered && <Loading rows={4} />}
            {offered?.length === 0 && <p class="hint">All datasets are already tables of the model.</p>}
            {offered?.map(({ id: datasetId, name }) => (
              <CheckField
                key={datasetId}
                label={name}
                checked={chosen.value.includes(name)}
                onChange={({ currentTarget: { checked } }) => {
                  chosen.value = checked ? [...chosen.peek(), name] : chosen.peek().filter((each) => each !== name);
                }}
              />
            ))}
          </fieldset>
        ) : (
          <TextField
            label="Tables"
            hint="One per line, with their schema if several have it. Leave it empty to add all tables."
            value={typed.value}
            onInput={({ currentTarget: { value } }) => {
              typed.value = value;
            }}
          />
        )}
        <Issue problem={add.problem} />
        <div class="actions">
          <Button type="submit" look="main" isBusy={add.isRunning} disabled={isDatasets && chosen.value.length === 0}>
            Add
          </Button>
          {tables.length > 0 && <Button onClick={close}>Cancel</Button>}
        </div>
      </form>
    </Section>
  );
}

const draftOf = ({ alias, description }: Types.ModelTable) => ({ alias, description });

function TableForm({ table, close }: { table: ModelTable; close: () => void }) {
  const { id, modelId, alias } = table;
  return (
    <PartForm<Types.ModelTable, ReturnType<typeof draftOf>>
      modelId={modelId}
      noun="table"
      name={alias}
      part={table}
      draft={draftOf(table)}
      draftOf={draftOf}
      labels={{ alias: 'Name in expressions', description: 'Description' }}
      read={() => api.models.getTable(modelId, id)}
      save={(draft, options) => api.models.updateTable(modelId, id, draft, {}, options)}
      remove={({ force, ifMatch }) => api.models.removeTable(modelId, id, { force }, { ifMatch })}
      loses="Its fields, relationships and levels of hierarchies are removed from the model. The rows stay in the source."
      close={close}
    >
      {({ draft, set, issue }) => (
        <>
          <Field
            label="Name in expressions"
            required
            issue={issue('alias')}
            value={draft.alias}
            onInput={({ currentTarget: { value } }) => set({ alias: value })}
          />
          <TextField
            label="Description"
            rows={2}
            issue={issue('description')}
            value={draft.description}
            onInput={({ currentTarget: { value } }) => set({ description: value })}
          />
        </>
      )}
    </PartForm>
  );
}
