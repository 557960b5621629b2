import { opIssues } from '../../../../shared/data/recipe/compile.ts';
import type { EngineFunction } from '../../../../shared/domains/engine/index.ts';
import type { CheckDeps } from '../../../../shared/domains/pipelines/checks/index.ts';
import { type Dag, type ReferenceValues, sampleValues } from '../../../../shared/domains/pipelines/definition/index.ts';
import { assertMaySeeRows, type ShownRowsDeps } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { DagStore } from '../../../../shared/domains/pipelines/store/index.ts';
import type { AiFunction } from '../../../../shared/platform/ai/function/client.ts';
import type { AiMessage } from '../../../../shared/platform/ai/generate.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { checkOps, type OpsCheck, type Trial } from '../check-ops.ts';
import { valuesOfRun } from '../last-run.ts';
import { suggestionInputs } from '../suggestion-inputs.ts';
import {
  diagnosticsMessage,
  INSTRUCTIONS,
  type Proposal,
  readProposal,
  requestMessage,
  type SuggestionRequest,
} from '../suggestion-prompt.ts';
import type { SuggestOps } from './schemas.ts';

const MAX_REPAIRS = 2;
const MAX_OUTPUT_TOKENS = 4000;
/** The gateway waits for 29 seconds. */
const BUDGET_MS = 25_000;
const TRIAL_MS = 5_000;
/** No model answers faster than this. */
const MIN_ANSWER_MS = 2_000;

export interface SuggestDeps {
  ai: AiFunction;
  engine: Pick<EngineFunction, 'check' | 'query'>;
}

interface Deps extends SuggestDeps, ShownRowsDeps {
  table: Table;
  dags: DagStore;
  pipelines: CheckDeps['pipelines'];
  now(): Date;
}

/**
 * Suggests operations for a description and tries them on the outputs of the last run. Throws
 * `SUGGESTION_INPUTS_INVALID`, `NO_RUN_DATA`, `OPS_NOT_SUGGESTED`, `AI_NOT_CONFIGURED` and `AI_UNAVAILABLE`.
 */
export async function suggestOps(
  deps: Deps,
  command: SuggestOps & { principal: Principal; id: string },
): Promise<JsonText> {
  const { principal, id: pipelineId, description, currentOps = [] } = command;
  const { workspaceId } = principal;
  const pipeline = await deps.pipelines.get(workspaceId, pipelineId);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const errors = opIssues(currentOps, '/currentOps');
  if (errors.length > 0) throw new AppError('SUGGESTION_INPUTS_INVALID', { errors });
  const dag = await deps.dags.get(workspaceId, pipeline.dagHash);
  const place = { workspaceId, pipelineId };
  const { tables, run } = await suggestionInputs(deps, place, { dag, request: command, now: deps.now() });
  const dags = run ? [dag, await deps.dags.get(workspaceId, run.dagHash)] : [];
  await assertMaySeeRows(deps, principal, dags);

  const inputs = Object.fromEntries(tables.map(({ name, columns }) => [name, columns]));
  const parameters = (dag.parameters ?? []).map(({ name, type }) => ({ name: `params.${name}`, type }));
  const values = run ? await valuesOfRun(deps.table, dag, dag.forEach ?? [], run) : valuesWithoutRun(dag);
  const request = { description, inputs, currentOps, parameters };
  const trial = { tables, values, hasRows: run !== undefined };
  const { ops, explanation, confidence, columns, rowsJson } = await draftOps(deps, workspaceId, request, trial);
  return JsonText.of(
    { ops, explanation, confidence, diagnostics: [], columns, basedOnRunId: run?.id ?? null },
    { previewRows: rowsJson ?? 'null' },
  );
}

function valuesWithoutRun(dag: Dag): ReferenceValues {
  const items = (dag.forEach ?? []).map(({ id }) => [id, { item: '', index: 0 }] as const);
  return { ...sampleValues(dag, ''), forEach: Object.fromEntries(items) };
}

type Draft = Omit<Proposal, 'ops'> & Extract<OpsCheck, { ok: true }>;

/**
 * Returns the first proposal without issues; issues go back to the model at most twice. Throws `OPS_NOT_SUGGESTED` with
 * the issues of the last proposal.
 */
export async function draftOps(
  deps: SuggestDeps,
  workspaceId: string,
  request: SuggestionRequest,
  trial: Omit<Trial, 'timeoutMs'>,
): Promise<Draft> {
  const until = performance.now() + BUDGET_MS;
  const left = () => Math.round(until - performance.now());
  const messages: AiMessage[] = [{ role: 'user', content: requestMessage(request) }];
  for (let repairs = 0; ; repairs += 1) {
    const question = { instructions: INSTRUCTIONS, messages, maxOutputTokens: MAX_OUTPUT_TOKENS, timeoutMs: left() };
    const { text } = await deps.ai.ask({ ...question, workspaceId, purpose: 'suggest-ops' });
    const found = await checkAnswer(deps, text, { ...trial, timeoutMs: TRIAL_MS });
    if (found.ok) return found;
    if (repairs === MAX_REPAIRS || left() < MIN_ANSWER_MS + TRIAL_MS) throw notSuggested(found.diagnostics);
    messages.push(
      { role: 'assistant', content: text },
      { role: 'user', content: diagnosticsMessage(found.withoutRows) },
    );
  }
}

async function checkAnswer(
  { engine }: SuggestDeps,
  text: string,
  trial: Trial,
): Promise<Draft | Extract<OpsCheck, { ok: false }>> {
  const proposal = readProposal(text);
  if (!proposal) {
    const message = 'The answer must be one JSON object with ops.';
    const issues = [{ pointer: '', code: 'ANSWER_UNREADABLE', message }];
    return { ok: false, diagnostics: issues, withoutRows: issues };
  }
  const { ops, ...about } = proposal;
  if (ops.length === 0) throw notSuggested([notPossible(about.explanation)]);
  const result = await checkOps(engine, ops, trial);
  return result.ok ? { ...result, ...about } : result;
}

const notSuggested = (errors: Issue[]) => new AppError('OPS_NOT_SUGGESTED', { errors });

const notPossible = (explanation: string): Issue => ({
  pointer: '/description',
  code: 'NOT_POSSIBLE',
  message: explanation || 'The model found no operations for this description.',
});
