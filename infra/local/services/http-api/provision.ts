import { createHash } from 'node:crypto';
import type { Provisioned, Provisioner, Resource } from '../../kernel/types.ts';
import { type Accessed, readLogFormat } from './access-log.ts';
import { type Route, readRoute } from './route.ts';
import type { ThrottleLimits } from './throttle.ts';

export type Integration = { functionArn: string; timeoutMilliseconds: number };

/** The HTTP API of the template, as far as it has been read. */
export type ApiModel = {
  apiId?: string;
  routes: Route[];
  integrations: Map<string, Integration>;
  /** By route key; the empty key is the stage's own. */
  limits: Map<string, ThrottleLimits>;
  accessLog?: (accessed: Accessed) => string;
  hasStage: boolean;
};

const HTTP_API_PROPERTIES = {
  'AWS::ApiGatewayV2::Api': { Description: 'no effect', Name: 'no effect', ProtocolType: 'used: HTTP', Tags: 'no effect' },
  'AWS::ApiGatewayV2::Integration': {
    ApiId: 'used',
    Description: 'no effect',
    IntegrationMethod: 'no effect: functions are invoked',
    IntegrationType: 'used: AWS_PROXY',
    IntegrationUri: 'used: a function',
    PayloadFormatVersion: 'used: 2.0',
    TimeoutInMillis: 'used',
  },
  'AWS::ApiGatewayV2::Route': { ApiId: 'used', ApiKeyRequired: 'used: false', AuthorizationType: 'used: NONE', OperationName: 'no effect', RouteKey: 'used', Target: 'used' },
  'AWS::ApiGatewayV2::Stage': {
    AccessLogSettings: 'used',
    'AccessLogSettings.DestinationArn': 'no effect: lines appear in the runtime log',
    'AccessLogSettings.Format': 'used',
    ApiId: 'used',
    AutoDeploy: 'no effect: routes are live at once',
    DefaultRouteSettings: 'used',
    'DefaultRouteSettings.DetailedMetricsEnabled': 'no effect',
    'DefaultRouteSettings.ThrottlingBurstLimit': 'used',
    'DefaultRouteSettings.ThrottlingRateLimit': 'used',
    Description: 'no effect',
    RouteSettings: 'used: throttling',
    StageName: 'used: $default',
    Tags: 'no effect',
  },
} as const;

/** Reads API, integrations, routes and stage of the template into `model`. */
export function httpApiProvisioner(model: ApiModel, baseUrl: () => string): Provisioner {
  const makers: Record<string, (resource: Resource) => Provisioned> = {
    'AWS::ApiGatewayV2::Api': (resource) => makeApi(model, resource, baseUrl()),
    'AWS::ApiGatewayV2::Integration': (resource) => makeIntegration(model, resource),
    'AWS::ApiGatewayV2::Route': (resource) => makeRoute(model, resource),
    'AWS::ApiGatewayV2::Stage': (resource) => makeStage(model, resource),
  };
  return {
    properties: HTTP_API_PROPERTIES,
    async provision(resource) {
      const make = makers[resource.type];
      if (!make) throw new Error(`no maker for ${resource.type}`);
      return make(resource);
    },
  };
}

const shortId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

function makeApi(model: ApiModel, { logicalId, properties }: Resource, baseUrl: string): Provisioned {
  demand(properties, 'ProtocolType', ['HTTP']);
  if (model.apiId !== undefined) throw new Error('a second HTTP API is not supported: the local runtime has one port');
  model.apiId = shortId(logicalId);
  return { ref: model.apiId, attributes: { ApiEndpoint: baseUrl, ApiId: model.apiId } };
}

function makeIntegration(model: ApiModel, { logicalId, properties }: Resource): Provisioned {
  demand(properties, 'IntegrationType', ['AWS_PROXY']);
  demand(properties, 'PayloadFormatVersion', ['2.0']);
  const uri = String(properties.IntegrationUri);
  const functionArn = /functions\/(arn:aws:lambda:[^/]+)\/invocations$/.exec(uri)?.[1] ?? uri;
  if (!functionArn.startsWith('arn:aws:lambda:')) throw new Error(`integration ${uri} is not supported (supported: Lambda functions)`);
  const id = shortId(logicalId);
  model.integrations.set(id, { functionArn, timeoutMilliseconds: Number(properties.TimeoutInMillis ?? 30_000) });
  return { ref: id, attributes: { IntegrationId: id } };
}

function makeRoute(model: ApiModel, { logicalId, properties }: Resource): Provisioned {
  demand(properties, 'AuthorizationType', ['NONE', undefined]);
  demand(properties, 'ApiKeyRequired', [false, 'false', undefined]);
  const [, integrationId = ''] = /^integrations\/(.+)$/.exec(String(properties.Target)) ?? [];
  if (!model.integrations.has(integrationId)) throw new Error(`target ${String(properties.Target)} is not an integration of this API`);
  model.routes.push(readRoute(String(properties.RouteKey), integrationId));
  const id = shortId(logicalId);
  return { ref: id, attributes: { RouteId: id } };
}

type RouteSettings = { ThrottlingRateLimit?: number; ThrottlingBurstLimit?: number; DetailedMetricsEnabled?: unknown };

function makeStage(model: ApiModel, { properties }: Resource): Provisioned {
  demand(properties, 'StageName', ['$default']);
  setLimits(model, '', (properties.DefaultRouteSettings ?? {}) as RouteSettings);
  for (const [routeKey, settings] of Object.entries((properties.RouteSettings ?? {}) as Record<string, RouteSettings>)) setLimits(model, routeKey, settings);
  const format = (properties.AccessLogSettings as { Format?: string } | undefined)?.Format;
  if (format !== undefined) model.accessLog = readLogFormat(format);
  model.hasStage = true;
  return { ref: '$default', attributes: {} };
}

function setLimits(model: ApiModel, routeKey: string, settings: RouteSettings): void {
  const unknown = Object.keys(settings).filter((name) => !['ThrottlingRateLimit', 'ThrottlingBurstLimit', 'DetailedMetricsEnabled'].includes(name));
  if (unknown.length > 0) throw new Error(`route settings ${unknown.join(', ')} are not supported (supported: ThrottlingRateLimit, ThrottlingBurstLimit)`);
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = settings;
  if (rate !== undefined || burst !== undefined) model.limits.set(routeKey, { rate: Number(rate ?? 10_000), burst: Number(burst ?? 5000) });
}

function demand(properties: Record<string, unknown>, name: string, allowed: readonly unknown[]): void {
  const value = properties[name];
  if (!allowed.includes(value)) throw new Error(`${name} ${String(value)} is not supported (supported: ${allowed.filter((each) => each !== undefined).join(', ')})`);
}
