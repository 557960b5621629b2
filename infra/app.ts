import { App } from 'aws-cdk-lib';
import { settings } from './settings.ts';
import { defineApp } from './synth.ts';

/** The entry point of the CDK command line; see `cdk.json`. */
defineApp(new App(), settings()).synth();
