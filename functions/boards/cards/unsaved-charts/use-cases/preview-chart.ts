import {
  type DrawDeps,
  imageBeside,
  lookOf,
  readable,
  rowsOf,
  withMapWarnings,
} from '../../../../../shared/domains/boards/cards/index.ts';
import type { ChartDeps } from '../../../../../shared/domains/boards/charts/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { JsonText } from '../../../../../shared/platform/http/json-text.ts';
import type { NoticeDeps } from '../../../common/card-results.ts';
import { isOfQuery } from '../../use-cases/source-errors.ts';
import type { PreviewChart } from '../schemas.ts';
import { cardOf } from './card-of-chart.ts';
import { checkSource, type SourceDeps } from './chart-source.ts';

/** Throws `CHART_SPEC_INVALID`, the not-found error of the source, `CARD_UNREADABLE` and what `checkSource` throws. */
export async function previewChart(
  deps: ChartDeps & DrawDeps & NoticeDeps & SourceDeps,
  { principal, chartSpec, image: wanted, ...reading }: PreviewChart & { principal: Principal },
): Promise<JsonText> {
  const { workspaceId } = principal;
  const { source } = chartSpec.query;
  await checkSource(deps, principal, source.kind);
  const card = cardOf(chartSpec, principal, deps.now());
  const rows = await readable(
    rowsOf(deps, { pages: [], cards: [card], filters: [] }, card, { ...reading, principal }),
    'CARD_UNREADABLE',
    (code) => code === 'VALIDATION_FAILED' || isOfQuery(code),
  );
  lookOf(card, rows);
  const { rowsJson, ...shown } = withMapWarnings(card, rows);
  const image = await imageBeside(deps, card, rows, { workspaceId, theme: null, image: wanted });
  const message = (await deps.deprecatedSources(workspaceId, [source]))(source);
  const notices = message === undefined ? undefined : [{ code: 'DEPRECATED_SOURCE', message }];
  return JsonText.of({ ...shown, image, notices }, { rows: rowsJson });
}
