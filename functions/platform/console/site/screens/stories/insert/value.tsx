import { type Signal, useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { formattedNumber } from '../../../../../../../shared/data/value-formats/declared-format.ts';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { problemOf } from '../../../data/problem.ts';
import { useQuery } from '../../../data/query.ts';
import { Picker } from '../../../shell/picker.tsx';
import { bound } from '../../../ui/bound.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { INSERTABLE, type InsertProps, type NearBlock } from './insertion.ts';

type Compare = 'none' | 'previous_period' | 'same_period_last_year';

const SHOWN: Readonly<Record<Compare, string>> = {
  none: 'its value',
  previous_period: 'its change from the period before',
  same_period_last_year: 'its change from a year earlier',
};

/** As the API shows changes. */
const CHANGE_FORMAT = '+.1%';
const NO_VALUE = '—';
const MAX_OPTIONS = 10;

/** A number within a sentence: of a metric, or of a row of a live block in the same section. */
export function InsertValue({ storyId, blocks, close }: InsertProps) {
  const [blockId, setBlock] = useState('');
  const [metric, setMetric] = useState<{ id: string; label: string }>();
  const compare = useSignal<Compare>('none');
  const [ofRow, setOfRow] = useState<RowValue>();
  const insert = useAction(async () => {
    if (blockId) return ofRow && close({ type: 'value', attrs: { ...ofRow } });
    if (!metric) return;
    const source = { metricId: metric.id, ...(compare.peek() !== 'none' && { compare: compare.peek() }) };
    close({ type: 'value', attrs: { source, written: await metricText(metric.id, compare.peek()) } });
  });
  const isIncomplete = blockId ? ofRow === undefined : metric === undefined;
  return (
    <Dialog
      title={INSERTABLE.value}
      close={() => close()}
      action="Insert"
      isIncomplete={isIncomplete}
      isBusy={insert.isRunning}
      problem={insert.problem}
      submit={async () => {
        await insert.run();
        return false;
      }}
    >
      <p>The text keeps the current value. Each reader sees their own value, and whether it has changed.</p>
      {blocks.length > 0 && (
        <SelectField
          label="Number from"
          value={blockId}
          onChange={({ currentTarget }) => {
            setBlock(currentTarget.value);
            setOfRow(undefined);
          }}
        >
          <option value="">a metric</option>
          {blocks.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </SelectField>
      )}
      {blockId ? (
        <RowFields key={blockId} storyId={storyId} block={blocks.find(({ id }) => id === blockId)!} choose={setOfRow} />
      ) : (
        <>
          <Picker
            label="Metric"
            of="metrics"
            name={metric?.label ?? ''}
            search={async (text) =>
              (await api.metrics.list({ limit: MAX_OPTIONS, ...(text && { search: text }) })).items.map(
                ({ id, name }) => ({ id, label: name }),
              )
            }
            choose={setMetric}
          />
          <SelectField label="Shows" {...bound(compare as Signal<string>)}>
            {Object.entries(SHOWN).map(([key, words]) => (
              <option key={key} value={key}>
                {words}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </Dialog>
  );
}

/** The text of a metric as the page of the story writes it. */
async function metricText(id: string, compare: Compare): Promise<string> {
  const { value, format, comparison } = await api.metrics.getValue(id, { compare, includePartial: true });
  if (compare === 'none') return value === null ? NO_VALUE : formattedNumber(value, format);
  const change = comparison?.changePct ?? null;
  return change === null ? NO_VALUE : formattedNumber(change / 100, CHANGE_FORMAT);
}

interface RowValue {
  source: { blockId: string; measure: string; rowKey?: Record<string, unknown> };
  written: string;
}

interface RowFieldsProps {
  storyId: string;
  block: NearBlock;
  choose: (value: RowValue | undefined) => void;
}

const MAX_ROWS = 200;

/** A column and a row of what a live block shows. */
function RowFields({ storyId, block: { id }, choose }: RowFieldsProps) {
  const { data, error, refresh } = useQuery(['stories', storyId, 'rows', id], () =>
    api.stories.readBlocks(storyId, { blocks: [{ blockId: id }] }, { view: 'draft' }),
  );
  const [measure, setMeasure] = useState('');
  const [row, setRow] = useState('');
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={3} />;
  const { data: read, problem } = data.blocks[0]!;
  if (!read) return <p class="issue">This block cannot be read: {problem?.detail ?? 'it is not saved yet.'}</p>;
  const rows = read.rows.slice(0, MAX_ROWS);
  const measures = read.columns.filter(({ role }) => role === 'measure');
  const set = (column: string, at: string) => {
    setMeasure(column);
    setRow(at);
    choose(column && at ? rowValue(id, read, column, rows[Number(at)]!) : undefined);
  };
  return (
    <>
      <SelectField label="Column" value={measure} onChange={({ currentTarget }) => set(currentTarget.value, row)}>
        <option value="">{measures.length === 0 ? 'The block has no column with numbers' : 'choose one'}</option>
        {measures.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Row" value={row} onChange={({ currentTarget }) => set(measure, currentTarget.value)}>
        <option value="">choose one</option>
        {rows.map((each, index) => (
          <option key={index} value={String(index)}>
            {rowText(read, each) || `row ${index + 1}`}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** What the row is known by: its names and times. */
const keysOf = ({ columns }: Types.StoryBlockData, row: readonly unknown[]): [string, unknown][] =>
  columns.flatMap(({ name, role }, index): [string, unknown][] => (role === 'dimension' ? [[name, row[index]]] : []));

const rowText = (read: Types.StoryBlockData, row: readonly unknown[]): string =>
  keysOf(read, row)
    .map(([, value]) => String(value ?? '–'))
    .join(', ');

function rowValue(blockId: string, read: Types.StoryBlockData, measure: string, row: readonly unknown[]): RowValue {
  const keys = keysOf(read, row);
  const at = read.columns.findIndex(({ name }) => name === measure);
  const value = row[at] as number | string | null | undefined;
  return {
    source: { blockId, measure, ...(keys.length > 0 && { rowKey: Object.fromEntries(keys) }) },
    written: value === null || value === undefined ? NO_VALUE : formattedNumber(value, read.columns[at]!.format),
  };
}
