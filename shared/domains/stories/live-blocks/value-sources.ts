import { inlineValuesOf } from '../../../data/rich-text/index.ts';
import type { ChartSpec } from '../../boards/charts/index.ts';
import type { Section } from '../stories/index.ts';

/** The sources of the values of metrics in the texts. */
export const valueSources = (sections: readonly Pick<Section, 'content'>[]): ChartSpec['query']['source'][] =>
  sections.flatMap(({ content }) =>
    inlineValuesOf(content).flatMap(({ part: { source } }) =>
      'metricId' in source ? [{ kind: 'metric' as const, id: source.metricId }] : [],
    ),
  );
