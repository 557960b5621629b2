import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fillOf } from '../../../../../../shared/data/charts/board-cards.ts';
import type { Access } from '../../../../../boards/browser/access.ts';
import { showCards } from '../../../../../boards/browser/cards.ts';
import { configsOf } from '../../data/boards.ts';
import { type Block, type Chosen, isChart, type Parameter, type Report, reportAccess } from '../../data/reports.ts';
import { type Tokens, themeStyle, useTokens } from '../../data/themes.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Empty, Loading } from '../../ui/states.tsx';
import { chosenOf, ParameterForm } from './parameter-form.tsx';
import { ReportBlock } from './report-block.tsx';

interface ReportBodyProps {
  report: Report;
  query: ScreenProps['query'];
}

/** The parameters of a report and its blocks. */
export function ReportBody({ report, query }: ReportBodyProps) {
  const tokens = useTokens(null);
  const [chosen, choose] = useState<Chosen>(() => chosenOf(query.parameters, report.parameters));
  const latest = useRef(chosen);
  latest.current = chosen;
  const access = useMemo(() => reportAccess(report, () => latest.current), [report]);
  if (!tokens) return <Loading rows={8} />;
  return (
    <>
      {report.parameters.length > 0 && <ParameterForm parameters={report.parameters} chosen={chosen} choose={choose} />}
      <Blocks
        blocks={report.layout.blocks}
        parameters={report.parameters}
        tokens={tokens}
        access={access}
        chosen={chosen}
      />
    </>
  );
}

interface BlocksProps {
  blocks: readonly Block[];
  parameters: readonly Parameter[];
  tokens: Tokens;
  access: Access;
  /** A change of it reads the charts again that use a parameter. */
  chosen: Chosen;
}

/** The blocks from top to bottom; charts and tables are filled in as those of dashboards. */
export function Blocks({ blocks, tokens, access, chosen }: BlocksProps) {
  const shown = useRef<ReturnType<typeof showCards> | undefined>(undefined);
  useEffect(() => {
    const left = new AbortController();
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    const cards = blocks.filter(isChart).map(({ id, chartSpec }) => ({ id, chartSpec, hasRows: true }));
    shown.current = showCards(configsOf(cards as Parameters<typeof configsOf>[0]), {
      access,
      tokens,
      left: left.signal,
      filters: () => [],
      zones: { wanted: () => own, shown: () => {} },
    });
    return () => left.abort();
  }, []);
  const bound = new Set(blocks.filter(isChart).flatMap(({ id, bindings = [] }) => (bindings.length > 0 ? [id] : [])));
  const isFirst = useRef(true);
  useEffect(() => {
    const all = isFirst.current;
    isFirst.current = false;
    void shown.current?.read((id) => all || bound.has(id));
  }, [JSON.stringify(chosen)]);
  const drawn = useMemo(
    () =>
      blocks.map((block) => (
        <ReportBlock
          key={block.id}
          block={block}
          fill={isChart(block) ? fillOf({ chartSpec: block.chartSpec as never, hasRows: true }) : undefined}
        />
      )),
    [],
  );
  return (
    <div class="board report" style={themeStyle(tokens)}>
      {blocks.length > 0 ? drawn : <Empty icon="file" title="This report has no blocks yet" />}
      <p class="sr" role="status" id="status" />
    </div>
  );
}
