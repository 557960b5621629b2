import { App } from 'aws-cdk-lib';
import { settings } from './settings.ts';
import { defineApp } from './synth.ts';

/** Entry point of the CDK command line, as `cdk.json` names it. */
defineApp(new App(), settings()).synth();
