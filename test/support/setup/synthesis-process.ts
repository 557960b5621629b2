import { settings } from '../../../infra/settings.ts';
import { defineApp } from '../../../infra/synth.ts';
import { EVERY_OPTION } from '../every-option.ts';
import { unstagedApp } from './unstaged-app.ts';

/**
 * `synthesis-process.ts <folder> <usual | every>`: the assembly for AWS, after all checks of the CDK and of
 * CloudFormation.
 */
const [outdir, options] = process.argv.slice(2) as [string, 'usual' | 'every'];
defineApp(unstagedApp({ outdir }), settings(options === 'every' ? EVERY_OPTION : {})).synth();
