/** The `context` argument of a handler, for one call with the environment variables of its function. */
export function contextOf({ requestId, functionArn, remainingMs, clientContext }, variables) {
  const deadline = Date.now() + remainingMs;
  return {
    awsRequestId: requestId,
    invokedFunctionArn: functionArn,
    functionName: variables.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: variables.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: variables.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: variables.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: variables.AWS_LAMBDA_LOG_STREAM_NAME,
    clientContext,
    identity: undefined,
    // The runtime never waits for the event loop after an asynchronous handler, whatever libraries set here.
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}
