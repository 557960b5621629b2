import { AppError } from '../../shared/platform/errors/app-error.ts';
import { ERRORS, type ErrorCode } from '../../shared/platform/errors/catalogue.ts';
import { renderProblem, statusOf } from '../../shared/platform/http/problem.ts';
import { table } from './markdown-table.ts';

const EXAMPLE: unknown = JSON.parse(
  renderProblem(
    new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/name', code: 'REQUIRED', message: 'is required' }],
    }),
    { path: '/api/data-sources', requestId: '3f0c5a52-7f0c-4b0e-9a55-3c1de2b0a1f7' },
  ).body,
);

const LEAD = `# Error codes

Every reply with a status from 400 upwards is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) of the
type \`application/problem+json\`:

\`\`\`json
${JSON.stringify(EXAMPLE, null, 2)}
\`\`\`

| Member      | Meaning                                                                                              |
| ----------- | ---------------------------------------------------------------------------------------------------- |
| \`code\`      | what went wrong; stable, so programs can rely on it                                                  |
| \`title\`     | the sentences of the table below                                                                     |
| \`detail\`    | the same, or something more specific about this request                                              |
| \`errors\`    | every issue of the input at once, each with its place as a JSON pointer and, in a text, its position |
| \`requestId\` | identifies the request in the logs; also in the header \`X-Request-Id\`                                |

- What belongs to another workspace gets the same reply as what does not exist.
- Statuses 429 and 503 carry \`Retry-After\` in seconds.
- A failed step of a run has codes of its own: see [why a step failed](pipelines-operating.md#why-a-step-failed).
- The reference page lists which codes each operation returns.

## All codes

`;

/** The page `docs/errors.md`: every code of the catalogue with its status, its meaning and how to fix it. */
export function errorIndex(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[])
    .sort()
    .map((code) => [`\`${code}\``, String(statusOf(code)), ...sentencesOf(ERRORS[code][1])]);
  return `${LEAD}${table(['Code', 'Status', 'What is wrong', 'What to do'], rows)}\n`;
}

/** The first sentence says what is wrong, the rest how to fix it. */
export function sentencesOf(message: string): [wrong: string, remedy: string] {
  const end = message.indexOf('. ') + 1;
  if (end === 0) throw new Error(`does not say how to fix it: ${message}`);
  return [message.slice(0, end), message.slice(end + 1)];
}
