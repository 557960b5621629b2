import type { Spread } from './spread.ts';
import type { Quantities } from './unit-costs.ts';

export type Unit = 'ms' | 's' | '/s' | 'KB' | 'MB';

/** One line of a measurement's table. */
export interface Row {
  what: string;
  unit: Unit;
  measured: Spread;
  /** The same work done without the platform, in the same rounds. */
  reference?: Spread;
  /** How many times the reference; of a throughput, how many times less. */
  ratio?: Spread;
  goal?: Goal;
}

export interface Goal {
  /** What must not be exceeded: the ratio's median or the measured median. */
  of: 'ratio' | 'measured';
  atMost: number;
}

/** What one measurement found, as plain data: the terminal and the document show the same. */
export interface Result {
  title: string;
  rows: Row[];
  /** Where the time goes, or what else a reader needs to assess the figures. */
  notes: string[];
  /** What keeps a missed goal from being met; shown only then. */
  bound?: string;
  quantities?: Partial<Quantities>;
}

/** Undefined for a row without a goal. */
export function isMet({ goal, ratio, measured }: Row): boolean | undefined {
  if (!goal) return undefined;
  const figure = goal.of === 'ratio' ? ratio?.median : measured.median;
  return figure !== undefined && figure <= goal.atMost;
}
