// The CDK app: `node infra/app.ts`, or any `cdk` command (cdk.json). Expects bundles (infra/bundle.ts); infra/synth.ts does both.

import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { BUNDLES } from './bundles.ts';
import { BatonStack } from './stack.ts';

/** Said over whatever the CLI says: paths of constructs, which errors name; none of assets, which differ; and findings of CDK's own check against CloudFormation's rules stop the synthesis. */
const CONTEXT = {
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': false,
  '@aws-cdk/core:validateAgainstDefaultRules': true,
};

/** The app as it is synthesized everywhere. Settings are here, not in cdk.json, so that the CLI and a plain `node` make the same template. */
export function batonApp({ outdir, bundles = BUNDLES }: { outdir?: string; bundles?: string } = {}): App {
  const app = new App({ ...(outdir !== undefined && { outdir }), analyticsReporting: false, treeMetadata: false, stackTraces: false, postCliContext: CONTEXT });
  new BatonStack(app, 'Baton', { bundles, description: 'Baton: a named person says yes, or a report says that nobody did.' });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

if (import.meta.main) batonApp({ outdir: process.env.CDK_OUTDIR ?? 'cdk.out' }).synth();
