import type { ComponentChildren } from 'preact';
import { conditionText } from '../../data/conditions.ts';
import type { MetricDetails } from '../../data/metrics.ts';
import { fieldName, useMeasures, useModel, useTables } from '../../data/models.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { amountText } from '../../ui/amount.ts';
import { counted } from '../../ui/format.ts';
import { dateText } from '../../ui/moment.ts';
import { Section } from '../../ui/page.tsx';
import { formatText } from './words.ts';

/** What the metric measures. */
export function Definition({ metric }: { metric: MetricDetails }) {
  const { modelId, measureId, fieldId, aggregation, timeFieldId, filters, target } = metric;
  const model = useModel(modelId).data;
  const tables = useTables(modelId).data ?? [];
  const measure = useMeasures(modelId, measureId !== null).data?.find(({ id }) => id === measureId);
  const nameOf = (id: string) => fieldName(tables, id) ?? 'a field that no longer exists';
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ['Model', model && <ObjectLink type="model" id={modelId} name={model.name} />],
    [
      'Measure',
      measureId !== null
        ? measure && (
            <>
              {measure.name} <code class="expression">{measure.expression}</code>
            </>
          )
        : `${aggregation} of ${fieldId && nameOf(fieldId)}`,
    ],
    ['Time', `${nameOf(timeFieldId)}, by ${metric.grain}, in ${metric.timezone}`],
    [
      'Only rows where',
      filters.length === 0
        ? 'all rows count'
        : filters.map((filter) => (
            <span key={JSON.stringify(filter)} class="condition">
              {conditionText(filter, nameOf)}
            </span>
          )),
    ],
    ['Better is', metric.direction === 'up_good' ? 'more' : 'less'],
    [
      'Target',
      target
        ? `${amountText(target.value, metric.format)} by ${dateText(target.by)}${target.from ? `, from ${dateText(target.from)}` : ''}`
        : 'none',
    ],
    ['Shown as', metric.format ? formatText(metric.format) : 'its measure says'],
    [
      'Checks',
      metric.anomalyChecks
        ? `for unusual values, ${counted(metric.anomalyChecks.delayHours, 'hour')} after the end of each period`
        : 'none',
    ],
  ];
  return (
    <Section title="What it measures">
      <dl class="terms">
        {rows.map(([name, content]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
