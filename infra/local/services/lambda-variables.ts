import { REGION } from '../kernel/types.ts';
import type { FunctionSettings } from './lambda-function.ts';

/** The environment a function sees: what Lambda sets, what the template sets, and where AWS is. */
export function functionVariables(settings: FunctionSettings, endpoint: string, accessKey: string): Record<string, string> {
  return {
    ...settings.environment,
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EXECUTION_ENV: `AWS_Lambda_${settings.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: settings.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(settings.memoryMegabytes),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${settings.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: '/var/task',
    _HANDLER: settings.handler,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
  };
}
