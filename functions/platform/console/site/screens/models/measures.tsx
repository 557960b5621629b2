import { api, type Types } from '../../data/client.ts';
import { type Measure, type Table, useMeasures, useTables } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { CheckField, Field, TextField } from '../../ui/field.tsx';
import { FormatFields } from '../../ui/format-fields.tsx';
import { Link } from '../../ui/link.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { ExpressionField } from './expression.tsx';
import { PartForm } from './part-form.tsx';
import { type EditPart, PartList, PartName } from './part-list.tsx';
import type { PartProps } from './part-props.ts';

/** How numbers are computed. */
export function Measures(part: PartProps) {
  const { model } = part;
  const { data: measures, error, refresh } = useMeasures(model.id);
  if (!measures) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />;
  return (
    <PartList
      {...part}
      label="Measures"
      noun="measure"
      parts={measures}
      keyOf={({ id }) => id}
      columnsOf={(edit) => columnsOf(model.id, edit)}
      form={(measure, close) => <MeasureForm modelId={model.id} measure={measure} close={close} />}
      icon="gauge"
      title="There are no measures yet"
    >
      A measure computes a number from rows, such as SUM([orders.amount]).
    </PartList>
  );
}

const columnsOf = (modelId: string, edit: EditPart): readonly Column<Measure>[] => [
  {
    id: 'name',
    label: 'Measure',
    width: '26%',
    cell: ({ id, name, isHidden, stale }) => (
      <span class="named">
        <PartName of={id} edit={edit}>
          {name}
        </PartName>
        {isHidden && <span class="hint">hidden</span>}
        {stale && <span class="issue">broken</span>}
      </span>
    ),
  },
  {
    id: 'expression',
    label: 'Expression',
    cell: ({ expression }) => (
      <code class="cut" title={expression}>
        {expression}
      </code>
    ),
  },
  { id: 'type', label: 'Type', width: '100px', isMinor: true, cell: ({ dataType }) => <code>{dataType}</code> },
  { id: 'folder', label: 'Folder', width: '130px', isMinor: true, cell: ({ folder }) => folder },
  ...(edit
    ? [
        {
          id: 'metric',
          label: 'Metric',
          width: '120px',
          isMinor: true,
          cell: ({ id, name }: Measure) => (
            <Link to="/metrics/new" query={{ model: modelId, measure: id }}>
              Follow<span class="sr"> {name} as a metric</span>
            </Link>
          ),
        },
      ]
    : []),
];

const NEW = {
  name: '',
  expression: '',
  description: '',
  folder: '',
  isHidden: false,
  format: '',
  decimals: '',
  currency: '',
};
type Draft = typeof NEW;

const draftOf = ({ name, expression, description, folder, isHidden, format }: Measure): Draft => ({
  name,
  expression,
  description,
  folder,
  isHidden,
  format: format?.kind ?? '',
  decimals: format?.decimals === undefined ? '' : String(format.decimals),
  currency: format?.currency ?? '',
});

const LABELS = {
  name: 'Name',
  expression: 'Expression',
  description: 'Description',
  folder: 'Folder',
  isHidden: 'Hidden',
  format: 'Shown as',
  decimals: 'Decimals',
  currency: 'Currency',
};

/** What the form does not ask for of a format, such as its pattern, is kept. */
function bodyOf(
  { format, decimals, currency, ...draft }: Draft,
  kept: Types.MeasureFormat | null,
): Types.CreateMeasure {
  if (format === '') return { ...draft, format: null };
  const others = kept?.kind === format ? kept : {};
  const { decimals: _decimals, currency: _currency, ...rest } = others as Types.MeasureFormat;
  return {
    ...draft,
    format: {
      ...rest,
      kind: format as Types.MeasureFormat['kind'],
      ...(decimals !== '' && { decimals: Number(decimals) }),
      ...(format === 'currency' && currency !== '' && { currency }),
    },
  };
}

interface MeasureFormProps {
  modelId: string;
  measure: Measure | undefined;
  close: () => void;
}

/** A field that can be added up, as expressions name it. */
function exampleOf(tables: readonly Table[]): string {
  const names = tables.flatMap(({ alias, fields }) =>
    fields.filter(({ fieldType }) => fieldType === 'measure').map(({ name }) => `[${alias}.${name}]`),
  );
  return names[0] ?? '[orders.amount]';
}

function MeasureForm({ modelId, measure, close }: MeasureFormProps) {
  const example = exampleOf(useTables(modelId).data ?? []);
  return (
    <PartForm<Measure, Draft>
      modelId={modelId}
      noun="measure"
      name={measure?.name ?? ''}
      part={measure}
      draft={measure ? draftOf(measure) : NEW}
      draftOf={draftOf}
      labels={LABELS}
      read={() => api.models.getMeasure(modelId, measure!.id)}
      save={(draft, options) => {
        const body = bodyOf(draft, measure?.format ?? null);
        return measure
          ? api.models.updateMeasure(modelId, measure.id, body, options)
          : api.models.createMeasure(modelId, body);
      }}
      remove={({ ifMatch }) => api.models.deleteMeasure(modelId, measure!.id, { ifMatch })}
      close={close}
    >
      {({ draft, set, issue }) => (
        <>
          <Field
            label="Name"
            required
            issue={issue('name')}
            value={draft.name}
            onInput={({ currentTarget: { value } }) => set({ name: value })}
          />
          <ExpressionField
            label="Expression"
            hint={`Such as SUM(${example}) / COUNT(${example}).`}
            issue={issue('expression')}
            value={draft.expression}
            onChange={(expression) => set({ expression })}
            check={(expression) =>
              api.models.validateMeasure(modelId, {
                expression,
                ...(draft.name.trim() && { name: draft.name.trim() }),
                ...(measure && { measureId: measure.id }),
              })
            }
            stored={measure?.diagnostics ?? []}
          />
          <TextField
            label="Description"
            rows={2}
            issue={issue('description')}
            value={draft.description}
            onInput={({ currentTarget: { value } }) => set({ description: value })}
          />
          <div class="beside">
            <FormatFields draft={draft} set={set} none="all digits" />
            <Field
              label="Folder"
              issue={issue('folder')}
              value={draft.folder}
              onInput={({ currentTarget: { value } }) => set({ folder: value })}
            />
          </div>
          <CheckField
            label="Hidden from people who ask questions"
            checked={draft.isHidden}
            onChange={({ currentTarget: { checked } }) => set({ isHidden: checked })}
          />
        </>
      )}
    </PartForm>
  );
}
