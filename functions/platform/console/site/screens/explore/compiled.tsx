import { api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Question } from './question.ts';

interface CompiledProps {
  modelId: string;
  question: Question;
  timezone: string;
}

/** How the question is answered: each part in words, and the SQL with the conditions of row-level security. */
export function Compiled({ modelId, question, timezone }: CompiledProps) {
  const { data, error, refresh } = useQuery(['explore', modelId, 'sql', question, timezone], () =>
    api.models.compileQuestion(modelId, { ...question, timezone } as Types.CompileQuestion),
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const copy = async () => {
    await navigator.clipboard.writeText(data.sql);
    toast('The SQL is copied.');
  };
  return (
    <div class="explore-sql">
      <ol>
        {data.plan.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ol>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls. */}
      <pre tabIndex={0}>{data.sql}</pre>
      {data.params.length > 0 && (
        <p class="hint">
          Values: {data.params.map((value, index) => `$${index + 1} = ${JSON.stringify(value)}`).join(', ')}
        </p>
      )}
      <Button isSmall icon="copy" onClick={() => void copy()}>
        Copy SQL
      </Button>
    </div>
  );
}
