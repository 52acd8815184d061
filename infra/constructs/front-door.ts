// The only public entrance: an HTTP API with the routes Baton answers, throttled, and logged without path or query (LK-19).

import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type CfnStage, HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BatonFunction } from './baton-function.ts';

/** What an access log line may say. A path holds a link, a link is the right to answer; an address of a client is personal data. */
export const ACCESS_LOG = {
  requestId: '$context.requestId',
  at: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  integrationStatus: '$context.integrationStatus',
} as const;

/** Requests a second and burst over everything, and for intake alone, so that a flood of webhooks leaves room for clicks (LA-11). */
const ALL = { rateLimit: 200, burstLimit: 400 };
const INTAKE = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 };

/** The API without routes; functions may name its address before it knows them. */
export const frontDoor = (scope: Construct): HttpApi => new HttpApi(scope, 'FrontDoor', { createDefaultStage: false, description: 'Baton: signals in, pages of offers out.' });

/** Adds the routes, the stage and its log. */
export function openFrontDoor(scope: Construct, api: HttpApi, { intake, pages }: { intake: BatonFunction; pages: BatonFunction }): HttpStage {
  const toIntake = new HttpLambdaIntegration('Intake', intake.lambda);
  const toPages = new HttpLambdaIntegration('Pages', pages.lambda);
  const routes = [
    ...api.addRoutes({ path: '/in', methods: [HttpMethod.ANY], integration: toIntake }), // says which address was meant
    ...api.addRoutes({ path: '/in/{source}', methods: [HttpMethod.POST], integration: toIntake }),
    ...api.addRoutes({ path: '/in/{proxy+}', methods: [HttpMethod.ANY], integration: toIntake }),
    ...api.addRoutes({ path: '/a/{proxy+}', methods: [HttpMethod.ANY], integration: toPages }),
    ...api.addRoutes({ path: '/.well-known/baton-keys.json', methods: [HttpMethod.GET], integration: toPages }),
  ];
  for (const route of routes)
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'webhooks prove themselves by signature, links by MAC, keys are public; each is checked in the function',
    });
  const log = new LogGroup(scope, 'AccessLog', {
    logGroupName: `/aws/vendedlogs/http/${Stack.of(scope).stackName}`,
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const stage = new HttpStage(scope, 'Stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    throttle: ALL,
    accessLogSettings: { destination: new LogGroupLogDestination(log), format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)) },
  });
  const cfnStage = stage.node.defaultChild as CfnStage;
  cfnStage.routeSettings = { 'ANY /in': INTAKE, 'POST /in/{source}': INTAKE, 'ANY /in/{proxy+}': INTAKE };
  for (const route of routes) cfnStage.node.addDependency(route);
  return stage;
}
