/** The name of the function. */
export const ATHENA = 'athena';

interface QueryTask {
  Resource: string;
  Arguments: { QueryString: string; WorkGroup: string; ClientRequestToken?: string };
}

/**
 * The definition with a function in place of Athena, which the local cloud does not have: it receives the statement.
 * `see` is shown what Athena would receive with it.
 */
export function withAthenaAsFunction(definition: object, see: (task: QueryTask) => void = () => undefined): object {
  return JSON.parse(JSON.stringify(definition), (_key, value: QueryTask | undefined) => {
    if (value?.Resource !== 'arn:aws:states:::athena:startQueryExecution.sync') return value;
    see(value);
    const Arguments = { FunctionName: ATHENA, Payload: value.Arguments.QueryString };
    return { ...value, Resource: 'arn:aws:states:::lambda:invoke', Arguments };
  }) as object;
}
