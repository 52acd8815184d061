// How a line gets into the log of a function: as JSON on the streams of the process, past the console, which Lambda would wrap
// into a message of its own. The lines are those of AWS Powertools; the package itself would be 31 KB of every bundle and a
// tenth of every cold start, for this.

const LEVELS: readonly string[] = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** A line with its level, unless the function's configuration asks for graver ones only. */
export function writeLog(level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Readonly<Record<string, unknown>>): void {
  if (LEVELS.indexOf(level) < lowest()) return;
  const { AWS_LAMBDA_FUNCTION_NAME: service = 'baton', _X_AMZN_TRACE_ID: trace = '' } = process.env;
  const [, xray_trace_id] = /(?:^|;)Root=([^;]+)/.exec(trace) ?? [];
  const line = { level, message, timestamp: new Date().toISOString(), service, ...(xray_trace_id !== undefined && { xray_trace_id }), ...fields };
  writeLine(level === 'INFO' ? process.stdout : process.stderr, line);
}

/** A figure in CloudWatch's embedded format. It has no level, so it is always written. */
export function writeFigure(
  { namespace, service }: { namespace: string; service: string },
  { name, unit, value }: { name: string; unit: 'Count' | 'Seconds'; value: number },
): void {
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [['service']], Metrics: [{ Name: name, Unit: unit }] }];
  writeLine(process.stdout, { _aws: { Timestamp: Date.now(), CloudWatchMetrics }, service, [name]: value });
}

/** Lambda puts the level of the function's logging configuration here. */
const lowest = (): number => LEVELS.indexOf(process.env.AWS_LAMBDA_LOG_LEVEL ?? '');

const writeLine = (stream: { write(text: string): unknown }, line: object): void => void stream.write(`${JSON.stringify(line)}\n`);
