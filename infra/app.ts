import { App } from 'aws-cdk-lib';
import { defineApp, settings } from './synth.ts';

/** Entry point of the CDK command line, as `cdk.json` names it. */
defineApp(new App(), settings()).synth();
