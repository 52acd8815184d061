/** Managed policies of AWS that a template may attach. An unknown one stops the boot, because guessing it would be worse. */
export const MANAGED_POLICIES: readonly { arn: string; document: unknown }[] = [
  {
    arn: 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole',
    document: { Statement: [{ Sid: 'WriteLogs', Effect: 'Allow', Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'], Resource: '*' }] },
  },
  {
    arn: 'arn:aws:iam::aws:policy/AWSXRayDaemonWriteAccess',
    document: {
      Statement: [
        {
          Sid: 'AWSXRayDaemonWriteAccess',
          Effect: 'Allow',
          Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords', 'xray:GetSamplingRules', 'xray:GetSamplingTargets', 'xray:GetSamplingStatisticSummaries'],
          Resource: '*',
        },
      ],
    },
  },
];
