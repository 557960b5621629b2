/* global awslambda */
export const handler = awslambda.streamifyResponse(async (_event, stream) => {
  const out = awslambda.HttpResponseStream.from(stream, {
    statusCode: 200,
    headers: { 'content-type': 'text/event-stream' },
  });
  out.write('data: one\n\n');
  out.write('data: two\n\n');
  out.end();
});
