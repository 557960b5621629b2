import { alert } from './alert.ts';
import { blend } from './blend.ts';
import { dashboard } from './dashboard.ts';
import { dataset } from './dataset.ts';
import { flowlet } from './flowlet.ts';
import { group } from './group.ts';
import type { DefinitionKind } from './kind.ts';
import { metric } from './metric.ts';
import { model } from './model.ts';
import { pipeline } from './pipeline.ts';
import { qualityTest } from './quality-test.ts';
import { query } from './query.ts';
import { report } from './report.ts';
import { source } from './source.ts';
import { term } from './term.ts';
import { theme } from './theme.ts';
import { webhook } from './webhook.ts';

/** Every kind of object that a team can keep as files, in the order in which they refer to each other. */
export const KINDS: readonly DefinitionKind[] = [
  source,
  dataset,
  query,
  theme,
  group,
  model,
  blend,
  metric,
  qualityTest,
  flowlet,
  pipeline,
  dashboard,
  report,
  alert,
  webhook,
  term,
];

export const KIND_NAMES = KINDS.map(({ kind }) => kind);

export const kindOf = (name: string): DefinitionKind => KINDS.find(({ kind }) => kind === name)!;
