import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench } from '../bench.ts';
import { chainOf, lightPipeline, randomDag } from '../dags.ts';
import { Meter } from '../meter.ts';
import type { Result } from '../result.ts';
import { rounds } from '../spread.ts';
import { type Consumption, minus, mix, over } from '../unit-costs.ts';

const CALLS = 100;
const RUNS = 5;
const SHORT = 10;
const LONG = 30;
const BRANCHED = 100;
const SEED = 20_261_121;
const READS = 0.85;

/** What API calls, runs, steps and deliveries consume of the services that AWS bills. */
export async function costs({ platform }: Bench): Promise<Result> {
  const meter = new Meter(platform);
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(200).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const webhook = { url, kind: 'generic', events: [] };
  const newWebhook = (name: string) => platform.call<{ id: string }>('POST', '/api/webhooks', { ...webhook, name });
  const times = async (count: number, apiCalls: number, work: (index: number) => Promise<unknown>) => ({
    ...over(await meter.during(() => rounds(count, work)), count),
    apiCalls,
  });

  try {
    const { id } = await newWebhook('Cost');
    const short = await runnable(platform, 'Short', chainOf(SHORT));
    const long = await runnable(platform, 'Long', chainOf(LONG));
    const branched = await runnable(platform, 'Branched', randomDag(BRANCHED, SEED));

    const read = await times(CALLS, 1, () => platform.call('GET', `/api/webhooks/${id}`));
    const create = await times(CALLS, 1, (index) => newWebhook(`Cost ${index}`));
    const test = await times(CALLS, 1, () => platform.call('POST', `/api/webhooks/${id}/test`));
    // The call that asks for a test reads the webhook and writes the event; the event itself belongs to the delivery.
    const delivery = { ...minus(test, read), apiCalls: 0 };
    const tenStepRun = await runsOf(short);
    const step = over(minus(await runsOf(long), tenStepRun), LONG - SHORT);
    const branchedStep = over(await runsOf(branched), BRANCHED);

    return {
      title: 'Consumption and cost on AWS',
      rows: [],
      notes: [
        'A worker that ends a step continues with the next one, so a chain needs no further execution. Where several branches follow a step, each branch but one gets an execution of its own, which takes one transition.',
        'A run writes in transactions, so that nothing is lost between a change and its event. DynamoDB counts those writes twice, and so does the table above.',
      ],
      quantities: {
        read,
        create,
        mixedCall: mix(read, READS, create),
        step,
        branchedStep,
        tenStepRun,
        delivery,
      },
    };
  } finally {
    meter.close();
    receiver.closeAllConnections();
    receiver.close();
  }

  async function runsOf(pipelineId: string): Promise<Consumption> {
    return times(RUNS, 1, async () => {
      await platform.call('POST', `/api/pipelines/${pipelineId}/run`);
      await meter.runsEnd();
    });
  }
}

/** A pipeline that has run once, so that its functions are warm. */
async function runnable(platform: Bench['platform'], name: string, parents: number[][]): Promise<string> {
  const id = await lightPipeline(platform, `Cost: ${name}`, parents);
  await platform.run(id);
  return id;
}
