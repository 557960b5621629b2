import type { Principal } from '../../../core/access/principal.ts';
import type { InvokeResult, LambdaPort } from '../../../core/ports.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { StateError } from '../state-error.ts';
import { sdkMetadata, serviceError } from './service-error.ts';

/** A plain function ARN: the arguments are the event, the function's return value is the result. */
export async function invokeFunction(
  lambda: LambdaPort,
  functionName: string,
  event: Json,
  caller: Principal,
): Promise<Json> {
  return payloadOf(await invoke(lambda, { functionName, event, type: 'RequestResponse', caller }));
}

/** `arn:aws:states:::lambda:invoke`: the result wraps the return value as `Payload`. */
export async function invokeIntegration(lambda: LambdaPort, members: JsonObject, caller: Principal): Promise<Json> {
  const { FunctionName, Payload = {}, InvocationType = 'RequestResponse', Qualifier } = members;
  if (typeof FunctionName !== 'string')
    throw new StateError('States.Runtime', "The field 'FunctionName' must be a string.");
  if (InvocationType !== 'RequestResponse' && InvocationType !== 'Event') {
    throw new StateError(
      'States.Runtime',
      `The InvocationType '${String(InvocationType)}' is not supported by the local cloud.`,
    );
  }
  const name = Qualifier === undefined ? FunctionName : `${FunctionName}:${String(Qualifier)}`;
  const reply = await invoke(lambda, { functionName: name, event: Payload, type: InvocationType, caller });
  return {
    ExecutedVersion: /:(\d+)$/.exec(name)?.[1] ?? '$LATEST',
    Payload: InvocationType === 'Event' ? {} : payloadOf(reply),
    ...sdkMetadata(reply.statusCode),
    StatusCode: reply.statusCode,
  };
}

async function invoke(
  lambda: LambdaPort,
  { event, ...call }: { functionName: string; event: Json; type: 'RequestResponse' | 'Event'; caller: Principal },
): Promise<InvokeResult> {
  let reply: InvokeResult;
  try {
    reply = await lambda.invoke({ ...call, payload: JSON.stringify(event) });
  } catch (error) {
    throw serviceError('Lambda', error);
  }
  if (reply.functionError !== undefined) throw functionError(reply.payload.toString('utf8'));
  return reply;
}

/** A failed function names the error itself; the whole error object is the cause. */
function functionError(payload: string): StateError {
  const parsed = parse(payload);
  const type = isJsonObject(parsed) ? parsed.errorType : undefined;
  if (typeof type === 'string' && type.length > 0) return new StateError(type, payload);
  return new StateError(
    'Lambda.Unknown',
    `The cause could not be determined because Lambda did not return an error type. Returned payload: ${payload}`,
  );
}

function payloadOf(reply: InvokeResult): Json {
  return parse(reply.payload.toString('utf8'));
}

/** A payload other than JSON (a streamed text) becomes a string; an empty one becomes null. */
function parse(text: string): Json {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
