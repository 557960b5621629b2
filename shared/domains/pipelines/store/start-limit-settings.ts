/** How many runs may be started in a minute of the clock. */
export interface StartLimits {
  /** However they are started, but for backfills. */
  perPipeline: number;
  /** By users and webhook calls. */
  perWorkspace: number;
}

export const START_LIMITS: StartLimits = { perPipeline: 60, perWorkspace: 600 };

/** As the operator has set them. */
export function startLimitsFrom(environment: NodeJS.ProcessEnv): StartLimits {
  const { PIPELINE_STARTS_PER_MINUTE: perPipeline, WORKSPACE_STARTS_PER_MINUTE: perWorkspace } = environment;
  return {
    perPipeline: perPipeline ? Number(perPipeline) : START_LIMITS.perPipeline,
    perWorkspace: perWorkspace ? Number(perWorkspace) : START_LIMITS.perWorkspace,
  };
}
