import type { Tool } from '../tool.ts';
import { askModel } from './ask-model.ts';
import { describe } from './describe.ts';
import { find } from './find.ts';
import { listCatalog } from './list-catalog.ts';
import { lookAtCard } from './look-at-card.ts';
import { metricSeries, metricValue } from './metrics.ts';
import { runSavedQuery } from './run-saved-query.ts';

/** What agents can do: everything reads, nothing writes. */
export const TOOLS: readonly Tool[] = [
  find,
  listCatalog,
  describe,
  metricValue,
  metricSeries,
  askModel,
  runSavedQuery,
  lookAtCard,
];
