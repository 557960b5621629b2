import { useSource } from '../../data/sources.ts';
import { to } from '../../ui/address.ts';
import { labelOf } from '../../ui/json-schema.ts';

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** The settings of a step by their labels; those within others stand below them. */
export function StepSettings({ values }: { values: Values }) {
  return (
    <dl>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name === 'sourceId' ? 'Source' : labelOf(name)}</dt>
          <dd>{name === 'sourceId' ? <SourceLink id={String(value)} /> : <Setting value={value} />}</dd>
        </div>
      ))}
    </dl>
  );
}

/** By its name, or by its id where the person may not see it or it is gone. */
function SourceLink({ id }: { id: string }) {
  const { data } = useSource(id);
  return data ? <a href={to(`/sources/${id}`)}>{data.name}</a> : <span>{id}</span>;
}

const SHORT = 60;

function Setting({ value }: { value: unknown }) {
  if (isValues(value)) return <StepSettings values={value} />;
  if (Array.isArray(value) && value.every(isScalar)) return <>{value.join(', ')}</>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
  if (text.length <= SHORT && !text.includes('\n') && isScalar(value)) return <>{text}</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too.
    <pre tabIndex={0}>{text}</pre>
  );
}
