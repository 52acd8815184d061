import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/**
 * 44 letters and digits: over 256 bits, and at the same time valid base64, so that Standard Webhooks can read it as `whsec_<secret>`.
 * Retained, and never named: a replaced signing secret would end every link sent so far (CD-08).
 */
export function generatedSecret(scope: Construct, id: string, description: string): Secret {
  const secret = new Secret(scope, id, {
    description,
    generateSecretString: { passwordLength: 44, excludePunctuation: true, requireEachIncludedType: true },
    removalPolicy: RemovalPolicy.RETAIN,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'links already sent and webhooks already set up depend on it: changed by a person with `baton`, with both keys valid meanwhile',
  });
  return secret;
}
