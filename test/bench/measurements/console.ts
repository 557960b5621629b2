import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import type { Bench } from '../bench.ts';
import { openFront } from '../console/front.ts';
import { EVENTS, FINISHED_RUN, LIVE_RUN, manyRecords, PIPELINES, STEPS, TABLES } from '../console/records.ts';
import {
  type Cookie,
  LAPTOP,
  PHONE,
  signedIn,
  type Throttle,
  untilTrue,
  type Visit,
  visit,
} from '../console/visits.ts';
import type { Result, Row } from '../result.ts';
import { counted } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const ROUNDS = 5;

interface Screen {
  what: string;
  path: string;
  /** Whether its content is drawn, as JavaScript. */
  isReady: string;
  /** In seconds, on a laptop and on a phone. */
  goals: readonly [number, number];
}

const has = (selector: string, count = 1) =>
  `document.querySelectorAll(${JSON.stringify(selector)}).length >= ${count}`;
const IS_READ = "!document.querySelector('main [aria-busy=true]')";

/** The frame of the console around no screen: what every screen waits for. */
const SHELL = { path: '/nothing-is-here', isReady: has('main h1') };

const SCREENS: readonly Screen[] = [
  { what: 'home', path: '', isReady: `${has('main h1')} && ${IS_READ}`, goals: [0.5, 1.5] },
  {
    what: `a list of ${counted(PIPELINES)} pipelines`,
    path: '/pipelines',
    isReady: has('main tbody [data-row] a'),
    goals: [0.8, 2.5],
  },
  {
    what: `the SQL pad, with ${counted(TABLES)} tables`,
    path: '/sql',
    isReady: `${has('main .cm-content')} && ${has('main [role=treeitem]')}`,
    goals: [1, 3],
  },
  {
    what: `a run of ${STEPS} steps as a graph`,
    path: `/runs/${FINISHED_RUN}`,
    isReady: has('main [data-node]', STEPS),
    goals: [0.8, 2.5],
  },
];

interface Opened {
  browser: Browser;
  url: string;
  cookie: Cookie;
}

/** How soon screens of the console are there, and how they answer hands, with much in them. */
export async function consoleScreens({ deployment, platform }: Bench): Promise<Result> {
  const front = await openFront(platform.endpoint, manyRecords);
  const browser = await launchChromium();
  try {
    const opened = { browser, url: `${front.url}/api/console`, cookie: await signedIn(front.url, deployment) };
    // Until the functions run, and what they compute first is there.
    for (const screen of SCREENS) await (await see(opened, screen, LAPTOP)).close();
    const rows: Row[] = [];
    for (const [place, throttle] of [LAPTOP, PHONE].entries()) rows.push(...(await readiness(opened, throttle, place)));
    for (const [place, throttle] of [LAPTOP, PHONE].entries()) rows.push(await typing(opened, throttle, place));
    rows.push(await scrolling(opened), await events(opened));
    return {
      title: 'The console',
      rows,
      notes: [
        `Each screen is opened ${ROUNDS} times in a browser that has nothing of the console yet, in turn with the bare shell: the frame around no screen. It is ready when its content is drawn. The laptop has 10 Mbit/s and 10 ms to the server; the phone 1.6 Mbit/s and 150 ms, and a processor four times slower than this machine, by the emulation of Chromium, which shares the cores with the platform. Lists, tables and runs are replies of a server in front of the platform, which passes everything else on. The delay of typing is the worst of its keys (Event Timing), while names of ${counted(TABLES)} tables with 20 columns are completed; the worst frame is that of a list of ${counted(PIPELINES)} which is scrolled through; the ${counted(EVENTS)} events of a run of ${STEPS} steps arrive in bursts of 50.`,
      ],
      bound:
        'the emulated network and processor: a first visit transfers the scripts of the frame and of the screen, and evaluates them, while the API is asked.',
    };
  } finally {
    await browser.close();
    front.close();
  }
}

const see = (
  { browser, url, cookie }: Opened,
  { path, isReady }: Pick<Screen, 'path' | 'isReady'>,
  throttle: Throttle,
) => visit(browser, { url: url + path, cookie, throttle, isReady });

async function readiness(opened: Opened, throttle: Throttle, place: number): Promise<Row[]> {
  const rows: Row[] = [];
  const timed = async (screen: Pick<Screen, 'path' | 'isReady'>) => {
    const seen = await see(opened, screen, throttle);
    await seen.close();
    return seen;
  };
  for (const screen of SCREENS) {
    const measured = await rounds(ROUNDS, async () => ({ shell: await timed(SHELL), screen: await timed(screen) }));
    const [own, shell] = [measured.map((each) => seconds(each.screen)), measured.map((each) => seconds(each.shell))];
    rows.push({
      what: `${screen.what}, ${throttle.name}`,
      unit: 's',
      measured: spread(own),
      reference: spread(shell),
      ratio: ratios(own, shell),
      goal: { of: 'measured', atMost: screen.goals[place]! },
    });
    if (throttle !== LAPTOP) continue;
    const [kb, shellKb] = [
      measured.map((each) => each.screen.transferredKb),
      measured.map((each) => each.shell.transferredKb),
    ];
    rows.push({
      what: `${screen.what}, transferred`,
      unit: 'KB',
      measured: spread(kb),
      reference: spread(shellKb),
      ratio: ratios(kb, shellKb),
    });
  }
  return rows;
}

const seconds = ({ readyMs }: Visit): number => readyMs / 1000;

const TYPING_GOALS_MS = [50, 200] as const;
const KEY_EVERY_MS = 90;
const TYPED = 'SELECT orders_1, cust FROM customers_12 JOIN invoices_3 ON pay';

/** The worst delay between a key and what it draws. */
async function typing(opened: Opened, throttle: Throttle, place: number): Promise<Row> {
  const { page, close } = await see(opened, SCREENS[2]!, throttle);
  await page.locator('.cm-content').click();
  const worst: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.evaluate('interactions.length = 0');
    await page.keyboard.type(TYPED, { delay: KEY_EVERY_MS });
    await settled(page);
    // Shorter ones than the observer reports are as short as a frame.
    worst.push((await page.evaluate('Math.max(8, ...interactions)')) as number);
  }
  await close();
  return {
    what: `a key in the SQL pad, ${throttle.name}, the worst`,
    unit: 'ms',
    measured: spread(worst),
    goal: { of: 'measured', atMost: TYPING_GOALS_MS[place]! },
  };
}

const settled = (page: Page) => page.evaluate('new Promise((done) => setTimeout(done, 500))');

const WORST_FRAME_GOAL_MS = 50;
const SCROLL = `new Promise((done) => {
  const box = document.querySelector('main .table-box');
  const frames = [];
  let last = performance.now();
  const step = () => {
    const now = performance.now();
    frames.push(now - last);
    last = now;
    box.scrollTop += 120;
    if (frames.length < 300) requestAnimationFrame(step);
    else done(frames.slice(1));
  };
  requestAnimationFrame(step);
})`;

/** The longest frame while a list is scrolled through. */
async function scrolling(opened: Opened): Promise<Row> {
  const worst = await rounds(ROUNDS, async () => {
    const { page, close } = await see(opened, SCREENS[1]!, LAPTOP);
    await settled(page);
    const frames = (await page.evaluate(SCROLL)) as number[];
    await close();
    return percentile(frames, 100);
  });
  return {
    what: `a frame of the list while it is scrolled, the worst`,
    unit: 'ms',
    measured: spread(worst),
    goal: { of: 'measured', atMost: WORST_FRAME_GOAL_MS },
  };
}

const LONG_TASK_GOAL_MS = 200;
const MAX_EVENTS_MS = 60_000;

/** The longest task of the page while the events of a run arrive, until the last one is shown. */
async function events(opened: Opened): Promise<Row> {
  const live = { path: `/runs/${LIVE_RUN}`, isReady: has('main [data-node]', STEPS) };
  const longest = await rounds(ROUNDS, async () => {
    const { page, close } = await see(opened, live, LAPTOP);
    const isDone = `${has('main [data-node] .status.succeeded', STEPS)}`;
    await untilTrue(page, isDone, MAX_EVENTS_MS);
    const worst = (await page.evaluate('Math.max(0, ...longTasks)')) as number;
    await close();
    return worst;
  });
  return {
    what: `a task of the page while ${counted(EVENTS)} events of a run arrive, the longest`,
    unit: 'ms',
    measured: spread(longest),
    goal: { of: 'measured', atMost: LONG_TASK_GOAL_MS },
  };
}
