import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { type Table as ModelTable, useTables } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Referrers } from '../../shell/referrers.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { useChosen } from './chosen.ts';
import { PartList, PartName } from './part-list.tsx';
import type { PartProps } from './part-props.ts';
import { configText, type Step, TransformForm, typeText } from './transform-form.tsx';

/** What is done with the rows of a table before its fields read them. */
export function Transforms(part: PartProps) {
  const { model, query } = part;
  const { data: tables, error, refresh } = useTables(model.id);
  const { choose } = useChosen(part, 'table');
  if (!tables) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />;
  const table = tables.find(({ id }) => id === query.table) ?? tables[0];
  if (!table) {
    return (
      <Empty icon="table" title="There are no tables yet">
        Steps change the rows of a table.
      </Empty>
    );
  }
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
          {tables.map(({ id, alias }) => (
            <option key={id} value={id}>
              {alias}
            </option>
          ))}
        </SelectField>
      </div>
      <Steps key={table.id} {...part} table={table} />
    </>
  );
}

function Steps({ table, ...part }: PartProps & { table: ModelTable }) {
  const { model, canEdit } = part;
  const place = ['models', model.id, 'tables', table.id, 'transforms'];
  const { data, error, refresh } = useQuery(place, () => api.models.listTransforms(model.id, table.id));
  const change = useAction(async (work: () => PromiseLike<unknown>) => {
    await work();
    await refreshQueries(['models', model.id]);
  });
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />;
  const steps = data.items;
  const move = (index: number, by: number) => {
    const ids = steps.map(({ id }) => id);
    const orderedIds = ids.with(index, ids[index + by]!).with(index + by, ids[index]!);
    void change.run(() => api.models.reorderTransforms(model.id, table.id, { orderedIds }));
  };
  const turn = ({ id, isEnabled, revision }: Step) =>
    void change.run(() =>
      api.models.updateTransform(model.id, table.id, id, { isEnabled: !isEnabled }, {}, { ifMatch: revision }),
    );
  return (
    <>
      <Issue problem={change.problem} />
      <Referrers problem={change.problem} />
      <PartList
        {...part}
        label="Steps"
        noun="step"
        parts={steps}
        keyOf={({ id }) => id}
        columnsOf={(edit) => columnsOf(steps, edit && { edit, move, turn })}
        form={(step, close) => (
          <TransformForm
            modelId={model.id}
            tableId={table.id}
            step={step}
            after={steps[(step ? steps.indexOf(step) : steps.length) - 1]?.id ?? null}
            others={steps.filter((each) => each !== step).map(({ id }) => id)}
            close={close}
          />
        )}
        icon="list"
        title="The rows are used as they are"
      >
        Steps change the rows before fields read them, such as by leaving out test orders. Nothing is copied.
      </PartList>
      {canEdit && steps.length > 0 && <Rows modelId={model.id} tableId={table.id} steps={steps} />}
    </>
  );
}

interface Doing {
  edit: (id: string) => void;
  move: (index: number, by: number) => void;
  turn: (step: Step) => void;
}

const nameOf = ({ order, type, label }: Step): string => `${order}. ${label || typeText(type)}`;

const columnsOf = (steps: readonly Step[], doing: Doing | undefined): readonly Column<Step>[] => [
  {
    id: 'name',
    label: 'Step',
    cell: (step) => (
      <span class="named">
        <PartName of={step.id} edit={doing?.edit}>
          {nameOf(step)}
        </PartName>
        {!step.isEnabled && <span class="hint">off</span>}
      </span>
    ),
  },
  { id: 'type', label: 'What it does', width: '180px', isMinor: true, cell: ({ type }) => typeText(type) },
  {
    id: 'config',
    label: 'Settings',
    isMinor: true,
    cell: ({ config }) => configText(config),
  },
  ...(doing
    ? [
        {
          id: 'more',
          label: 'Actions',
          width: '96px',
          cell: (step: Step) => {
            const index = steps.indexOf(step);
            return (
              <Menu
                label={`Actions of ${nameOf(step)}`}
                isRight
                class="icon-only"
                choices={[
                  [
                    ...(index > 0 ? [{ label: 'Move up', run: () => doing.move(index, -1) }] : []),
                    ...(index < steps.length - 1 ? [{ label: 'Move down', run: () => doing.move(index, 1) }] : []),
                    { label: step.isEnabled ? 'Turn off' : 'Turn on', run: () => doing.turn(step) },
                  ],
                ]}
              >
                <Icon name="ellipsis" />
              </Menu>
            );
          },
        },
      ]
    : []),
];

interface RowsProps {
  modelId: string;
  tableId: string;
  steps: readonly Step[];
}

const SOURCE = 'source';

/** The first rows after a step, which are read only when someone asks for them. */
function Rows({ modelId, tableId, steps }: RowsProps) {
  const after = useSignal('');
  const isOpen = useSignal(false);
  const { data, error, refresh } = useQuery(
    ['models', modelId, 'tables', tableId, 'rows', after.value],
    () =>
      api.models.previewTable(modelId, tableId, {
        ...(after.value !== '' && { afterStep: after.value === SOURCE ? null : after.value }),
        limit: 50,
      }),
    { enabled: isOpen.value },
  );
  if (!isOpen.value) {
    return (
      <div>
        <Button icon="eye" onClick={() => (isOpen.value = true)}>
          Show rows
        </Button>
      </div>
    );
  }
  return (
    <Section title="Rows">
      <SelectField
        label="After"
        value={after.value}
        onChange={({ currentTarget }) => {
          after.value = currentTarget.value;
        }}
      >
        <option value="">all steps</option>
        {steps.toReversed().map((step) => (
          <option key={step.id} value={step.id}>
            {nameOf(step)}
          </option>
        ))}
        <option value={SOURCE}>no step, as in the source</option>
      </SelectField>
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />)}
      {data && <DataGrid label="Rows after the steps" columns={data.columns} rows={data.rows} />}
      {data?.rows.length === 0 && <p class="hint">There are no rows.</p>}
    </Section>
  );
}
