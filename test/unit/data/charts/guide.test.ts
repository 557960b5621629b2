import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { withoutDocumentation } from '../../../../infra/build/validators.ts';
import { MARKS } from '../../../../shared/data/charts/chart-look.ts';
import { queryIssues } from '../../../../shared/domains/boards/charts/chart-question.ts';
import { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/charts.md'), 'utf8');
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const isChart = ajv.compile<ChartSpec>(withoutDocumentation(ChartSpec));

it('the charts of the guide are charts', () => {
  const charts = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => JSON.parse(text!) as unknown);
  expect(charts.length).toBeGreaterThan(4);
  for (const chart of charts) {
    expect(isChart(chart), JSON.stringify([chart, isChart.errors])).toBe(true);
    expect(queryIssues((chart as ChartSpec).query)).toEqual([]);
  }
});

it('the guide has every mark', () => {
  for (const mark of MARKS) expect(guide).toContain(`\`${mark}\``);
});
