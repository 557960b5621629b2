import type { Bench } from '../bench.ts';
import type { Platform } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { rounds, spread } from '../spread.ts';

const TERMS = scaled(10_000, 100);
const ROUNDS = 3;
const IMPORT_GOAL_MS = 20_000;
const DRY_RUN_GOAL_MS = 5_000;

/** The glossary of a large company, in as many workspaces as there are rounds. */
export async function terms({ platform }: Bench): Promise<Result> {
  const found = await rounds(ROUNDS, (round) => measure(platform, round));
  const of = (step: keyof (typeof found)[number]) => spread(found.map((each) => each[step]));
  const row = (what: string, step: keyof (typeof found)[number], goal?: number): Row => ({
    what,
    unit: 'ms',
    measured: of(step),
    ...(goal && { goal: { of: 'measured', atMost: goal } }),
  });
  return {
    title: `A glossary of ${counted(TERMS)} terms as CSV`,
    rows: [
      row('a dry run', 'dryRun', DRY_RUN_GOAL_MS),
      row('the import of new terms', 'created', IMPORT_GOAL_MS),
      row('the export', 'exported'),
      row('the import of the exported file, which changes nothing', 'unchanged'),
      row('the import of another definition of each term', 'updated', IMPORT_GOAL_MS),
    ],
    notes: [
      `Each term has a definition of about 200 characters, two synonyms and a tag, and one of ten has a broader term. Each round adds its terms to those of the rounds before. An import writes the terms, their names, their relations and the entries of the audit log.`,
    ],
    bound:
      'the table. An import writes everything twice: as parts, so that it is finished after a crash, and then a hundred items at a time.',
  };
}

async function measure(platform: Platform, round: number) {
  const made = glossary(round, 'means');
  const send = async (csv: string, query = '') => {
    const startedAt = performance.now();
    await platform.call('POST', `/api/catalog/import${query}`, { csv });
    return performance.now() - startedAt;
  };
  const dryRun = await send(made, '?dryRun=true');
  const created = await send(made);
  const startedAt = performance.now();
  await platform.http.send('GET', `${platform.endpoint}/api/catalog/export`);
  const exported = performance.now() - startedAt;
  const unchanged = await send(made);
  const updated = await send(glossary(round, 'stands for'));
  return { dryRun, created, exported, unchanged, updated };
}

function glossary(round: number, verb: string): string {
  const lines = Array.from({ length: TERMS }, (_, at) => {
    const name = `Term ${round}-${at}`;
    const definition = `"${name}, as finance sees it, ${verb} ${'the value of what has been agreed upon, '.repeat(4)}and no more."`;
    const broader = at % 10 === 1 ? `Term ${round}-${at - 1}` : '';
    return `${name},${definition},Word ${at}|Other word ${at},finance,${broader}`;
  });
  return `name,definition,synonyms,tags,broader\n${lines.join('\n')}\n`;
}
