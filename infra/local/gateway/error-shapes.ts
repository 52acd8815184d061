import { randomUUID } from 'node:crypto';
import { AwsError, type AwsResponse, type AwsService } from '../kernel/types.ts';

type Protocol = AwsService['protocol'];

/** Renders an error the way a service of this protocol does, so that clients recognise it. */
export function renderError(fault: unknown, protocol: Protocol): AwsResponse {
  const error = fault instanceof AwsError ? fault : new AwsError('InternalServerError', `The local runtime broke: ${fault instanceof Error ? fault.message : String(fault)}`, 500);
  if (protocol === 'rest-xml') return { status: error.status, headers: { 'content-type': 'application/xml' }, body: s3Error(error) };
  if (protocol === 'query') return { status: error.status, headers: { 'content-type': 'text/xml' }, body: queryError(error) };
  const type = protocol === 'rest-json' ? 'application/json' : `application/x-amz-${protocol}`;
  return {
    status: error.status,
    headers: { 'content-type': type, 'x-amzn-errortype': error.code },
    body: JSON.stringify({ __type: error.code, message: error.message, ...(protocol === 'rest-json' ? { Message: error.message } : {}), ...error.fields }),
  };
}

function s3Error(error: AwsError): string {
  const fields = Object.entries(error.fields).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message>${fields.join('')}<RequestId>${randomUUID()}</RequestId></Error>`;
}

function queryError(error: AwsError): string {
  const type = error.status >= 500 ? 'Receiver' : 'Sender';
  return `<ErrorResponse><Error><Type>${type}</Type><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
