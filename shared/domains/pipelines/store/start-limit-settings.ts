/** How many runs may be started in a minute of the clock. */
export interface StartLimits {
  /** Counts every start except those of backfills. */
  perPipeline: number;
  /** Counts the starts by users and webhook calls. */
  perWorkspace: number;
}

export const START_LIMITS: StartLimits = { perPipeline: 60, perWorkspace: 600 };

/** The limits that the operator has set. */
export function startLimitsFrom(environment: NodeJS.ProcessEnv): StartLimits {
  const { PIPELINE_STARTS_PER_MINUTE: perPipeline, WORKSPACE_STARTS_PER_MINUTE: perWorkspace } = environment;
  return {
    perPipeline: perPipeline ? Number(perPipeline) : START_LIMITS.perPipeline,
    perWorkspace: perWorkspace ? Number(perWorkspace) : START_LIMITS.perWorkspace,
  };
}
