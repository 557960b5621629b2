/** How far a condition has come. `health` is apart, because a failing query does not end what was found before. */
export const ALERT_STATES = ['unknown', 'ok', 'pending', 'triggered', 'recovering'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export const ALERT_HEALTHS = ['ok', 'no_data', 'error'] as const;
export type AlertHealth = (typeof ALERT_HEALTHS)[number];

/** What a value means for the condition: `band` is between where it fires and where it recovers. */
export const ZONES = ['breach', 'band', 'clear'] as const;
export type Zone = (typeof ZONES)[number];

/** What an absent value means: nothing changes, it is clear, or it is a breach. */
export const NO_DATA_RULES = ['keep', 'ok', 'alert'] as const;
export type NoDataRule = (typeof NO_DATA_RULES)[number];

export interface EvaluationError {
  code: string;
  message: string;
}

/** What one evaluation of a condition found. */
export type Finding = { kind: Zone } | { kind: 'none' } | { kind: 'error'; error: EvaluationError };

/** What people may be notified of: `woke` sums up what a snooze has silenced. The last four go to the owner only. */
export const EDGES = ['fire', 'repeat', 'recover', 'woke', 'error', 'error_over', 'no_data', 'data_back'] as const;
export type Edge = (typeof EDGES)[number];

/** The state of one instance of a rule: for one class of row rights, and one group if the rule has groups. */
export interface InstanceState {
  state: AlertState;
  /** Evaluations in a row: breaches while `pending`, clear ones while `recovering`; otherwise 0. */
  count: number;
  health: AlertHealth;
  healthSince: string;
  error: EvaluationError | null;
  /** Failed evaluations in a row. */
  errors: number;
  /** From the firing to the recovery; null while nothing has fired. */
  episode: { id: string; firedAt: string; notifiedAt: string } | null;
}

export interface StatePolicy {
  /** How many breaches in a row fire, and how many clear evaluations in a row recover. */
  for: number;
  recoverFor: number;
  noData: NoDataRule;
  /** After which time people are notified again; null for never. */
  repeatMs: number | null;
}

export interface Step {
  next: InstanceState;
  edges: Edge[];
}

export const newInstance = (at: string): InstanceState => ({
  state: 'unknown',
  count: 0,
  health: 'ok',
  healthSince: at,
  error: null,
  errors: 0,
  episode: null,
});

/** How many failed evaluations in a row the owner is notified of: the first may be a hiccup. */
const ERRORS_TO_REPORT = 2;

/**
 * The next state after an evaluation at an instant. Instants are those of the schedule, so that a late worker changes
 * neither the order nor when a notice is repeated.
 */
export function step(before: InstanceState, finding: Finding, at: string, policy: StatePolicy): Step {
  const health = healthAfter(before, finding, at, policy);
  const moved = { ...before, ...health.next };
  const zone = zoneOf(finding, policy);
  if (zone === undefined) return { next: moved, edges: health.edges };
  const { next, edges } = MOVES[before.state](moved, zone, at, policy);
  return { next, edges: [...health.edges, ...edges] };
}

/** Undefined if the evaluation says nothing about the condition. */
function zoneOf(finding: Finding, { noData }: StatePolicy): Zone | undefined {
  if (finding.kind === 'error') return undefined;
  if (finding.kind !== 'none') return finding.kind;
  return noData === 'keep' ? undefined : noData === 'ok' ? 'clear' : 'breach';
}

type Health = Pick<InstanceState, 'health' | 'healthSince' | 'error' | 'errors'>;

function healthAfter(
  before: InstanceState,
  finding: Finding,
  at: string,
  { noData }: StatePolicy,
): { next: Health; edges: Edge[] } {
  const health = finding.kind === 'error' ? 'error' : finding.kind === 'none' ? 'no_data' : 'ok';
  const errors = health === 'error' ? before.errors + 1 : 0;
  const edges: Edge[] = [];
  if (errors === ERRORS_TO_REPORT) edges.push('error');
  if (health !== 'error' && before.errors >= ERRORS_TO_REPORT) edges.push('error_over');
  if (noData === 'alert' && health === 'no_data' && before.health !== 'no_data') edges.push('no_data');
  if (noData === 'alert' && before.health === 'no_data' && health === 'ok') edges.push('data_back');
  const healthSince = health === before.health ? before.healthSince : at;
  return { next: { health, healthSince, errors, error: finding.kind === 'error' ? finding.error : null }, edges };
}

type Move = (moved: InstanceState, zone: Zone, at: string, policy: StatePolicy) => Step;

const MOVES: Readonly<Record<AlertState, Move>> = {
  unknown: (moved, zone, at, policy) => fromQuiet(moved, zone, at, policy),
  ok: (moved, zone, at, policy) => fromQuiet(moved, zone, at, policy),
  pending: (moved, zone, at, policy) =>
    zone === 'breach' ? breached(moved, moved.count + 1, at, policy) : quiet(moved, 'ok'),
  triggered: (moved, zone, at, policy) => {
    if (zone === 'clear') return cleared(moved, 1, policy);
    return zone === 'breach' ? repeated(moved, at, policy) : quiet(moved, 'triggered');
  },
  recovering: (moved, zone, _at, policy) =>
    zone === 'clear' ? cleared(moved, moved.count + 1, policy) : quiet(moved, 'triggered'),
};

const fromQuiet: Move = (moved, zone, at, policy) =>
  zone === 'breach' ? breached(moved, 1, at, policy) : quiet(moved, 'ok');

const quiet = (moved: InstanceState, state: AlertState): Step => ({ next: { ...moved, state, count: 0 }, edges: [] });

function breached(moved: InstanceState, count: number, at: string, policy: StatePolicy): Step {
  if (count < policy.for) return { next: { ...moved, state: 'pending', count }, edges: [] };
  const episode = { id: at, firedAt: at, notifiedAt: at };
  return { next: { ...moved, state: 'triggered', count: 0, episode }, edges: ['fire'] };
}

function cleared(moved: InstanceState, count: number, policy: StatePolicy): Step {
  if (count < policy.recoverFor) return { next: { ...moved, state: 'recovering', count }, edges: [] };
  return { next: { ...moved, state: 'ok', count: 0, episode: null }, edges: ['recover'] };
}

function repeated(moved: InstanceState, at: string, { repeatMs }: StatePolicy): Step {
  const { episode } = moved;
  const isDue = repeatMs !== null && episode && Date.parse(at) - Date.parse(episode.notifiedAt) >= repeatMs;
  const next = { ...moved, state: 'triggered' as const, count: 0 };
  return isDue
    ? { next: { ...next, episode: { ...episode, notifiedAt: at } }, edges: ['repeat'] }
    : { next, edges: [] };
}
