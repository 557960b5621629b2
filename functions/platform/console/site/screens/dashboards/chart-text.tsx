import { useEffect, useState } from 'preact/hooks';
import type { Types } from '../../data/client.ts';
import type { Problem } from '../../data/problem.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { issueText } from '../../ui/place-name.ts';

interface ChartTextProps {
  spec: Types.ChartSpec;
  /** Why the chart cannot be drawn. */
  problem: Problem | undefined;
  set: (spec: Types.ChartSpec) => void;
}

/** All of a chart as JSON: filters, formats, axes, and what the fields do not have. */
export function ChartText({ spec, problem, set }: ChartTextProps) {
  const [text, setText] = useState('');
  const [issue, setIssue] = useState<string | undefined>(undefined);
  const current = JSON.stringify(spec, null, 2);
  useEffect(() => {
    setText(current);
    setIssue(undefined);
  }, [current]);
  const apply = () => {
    try {
      set(JSON.parse(text) as Types.ChartSpec);
      setIssue(undefined);
    } catch (error) {
      setIssue(`This is not valid JSON: ${(error as Error).message}`);
    }
  };
  return (
    <details class="chart-text">
      <summary>As text</summary>
      <CodeField
        label="Chart as JSON"
        rows={14}
        issue={issue ?? (problem?.issues.map(issueText).join('\n') || undefined)}
        value={text}
        onChange={setText}
      />
      <Button isSmall disabled={text === current} onClick={apply}>
        Apply
      </Button>
    </details>
  );
}
