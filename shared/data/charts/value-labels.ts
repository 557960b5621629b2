import type { ChannelName, Mark } from './chart-look.ts';
import { LABEL_SIZE } from './name-axis.ts';
import { FITS } from './pie-slices.ts';
import { type Scope, showText } from './vega-lite-channel.ts';

type Json = Record<string, unknown>;

/** The channel whose value a label shows, and where it stands. */
export function labelOf(shown: Mark, scope: Scope, encoding: Json): Json | undefined {
  const { mark } = scope;
  const at = (channel: ChannelName) => scope.encoding[channel] as { field: string; format?: string } | undefined;
  if (mark === 'bar') {
    const [value, offset] = isHorizontal(scope)
      ? (['x', { dx: 4, align: 'left' }] as const)
      : (['y', { dy: -LABEL_SIZE / 2 }] as const);
    return at(value) && text(scope, at(value)!, offset, without(encoding, ['color']));
  }
  if (mark === 'rect' && at('color')) return text(scope, at('color')!, {}, without(encoding, ['color']));
  if (mark !== 'arc' || !at('theta')) return undefined;
  const { innerRadius = 0.44 } = shown;
  const stacked = { ...encoding, theta: { ...(encoding.theta as Json), stack: true } };
  return text(
    scope,
    at('theta')!,
    { radius: radius((1 + innerRadius) / 2), opacity: { expr: `datum["${FITS}"] ? 1 : 0` } },
    { ...without(stacked, ['color']), ...detailOf(encoding) },
  );
}

const detailOf = ({ color }: Json): Json => (color ? { detail: { field: (color as Json).field } } : {});

function text(scope: Scope, shown: { field: string; format?: string }, mark: Json, encoding: Json): Json | undefined {
  const drawn = scope.columns.find(({ column }) => column.name === shown.field);
  if (!drawn) return undefined;
  const label = showText(shown, scope.texts, drawn);
  return { mark: { type: 'text', ...mark }, encoding: { ...encoding, text: label } };
}

const without = (encoding: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(encoding).filter(([name]) => !names.includes(name)));

/** Bars lie where their length is on the horizontal axis. */
function isHorizontal({ encoding: { x, y }, columns }: Scope): boolean {
  const kind = (field: string | undefined) => columns.find(({ column }) => column.name === field)?.kind;
  return kind(x?.field) === 'number' && kind(y?.field) !== 'number';
}

/** A share of the radius that the plot has beside its legend. */
export const radius = (share: number): Json => ({ expr: `${share} * min(width, height) / 2` });
