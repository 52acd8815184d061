// The inside of one execution environment. Plain JavaScript, because stripping types would double the time a cold start takes.
// It loads the bundled handler, follows the runtime's clock and answers one invocation at a time (messages: lambda-messages.ts).

import { parentPort, workerData } from 'node:worker_threads';

const { clock, entry, handlerName } = workerData;
const post = (message) => parentPort.postMessage(message);
let current = '';

followClock(new Float64Array(clock));
captureOutput(process.stdout, 'stdout');
captureOutput(process.stderr, 'stderr');
if (process.env.NODE_OPTIONS?.includes('--enable-source-maps')) process.setSourceMapsEnabled(true);
process.on('unhandledRejection', (reason) => die('Runtime.UnhandledPromiseRejection', reason));
process.on('uncaughtException', (fault) => die(fault?.name ?? 'Error', fault));

const handler = await load();
if (handler) {
  parentPort.on('message', (invocation) => void answer(invocation));
  post({ kind: 'ready' });
}

/** Date follows the runtime's time; everything a function does with it stays as it is. */
function followClock(offset) {
  const RealDate = Date;
  const realNow = RealDate.now.bind(RealDate);
  const now = () => Math.floor(realNow() + offset[0]);
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.prototype.constructor = globalThis.Date;
}

function captureOutput(stream, name) {
  stream.write = (chunk, encoding, done) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    post({ kind: 'output', stream: name, text, requestId: current });
    const callback = typeof encoding === 'function' ? encoding : done;
    callback?.();
    return true;
  };
}

async function load() {
  try {
    const module = await import(entry);
    const found = handlerName.split('.').reduce((holder, name) => holder?.[name], module) ?? module.default?.[handlerName];
    if (typeof found !== 'function') return failInit('Runtime.HandlerNotFound', `${handlerName} is undefined or not exported`);
    if (found.length > 2) return failInit('Runtime.CallbackHandlerDeprecated', 'Node.js 24 no longer supports callback-based function handlers; return a promise instead');
    return found;
  } catch (fault) {
    const kind = fault?.code === 'ERR_MODULE_NOT_FOUND' ? 'Runtime.ImportModuleError' : fault instanceof SyntaxError ? 'Runtime.UserCodeSyntaxError' : (fault?.name ?? 'Error');
    return failInit(kind, fault?.message ?? String(fault), fault?.stack);
  }
}

function failInit(errorType, errorMessage, stack = '') {
  post({ kind: 'init-failed', error: { errorType, errorMessage, trace: stack.split('\n') } });
}

function die(errorType, fault) {
  post({ kind: 'died', requestId: current, error: { ...described(fault), errorType } });
  process.exit(1);
}

async function answer({ requestId, payload, context, deadline, traceId }) {
  current = requestId;
  process.env._X_AMZN_TRACE_ID = traceId;
  const full = { ...context, callbackWaitsForEmptyEventLoop: true, getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.timeOrigin - performance.now())) };
  try {
    const result = await handler(JSON.parse(payload), full);
    post({ kind: 'answered', requestId, payload: JSON.stringify(result) ?? 'null' });
  } catch (fault) {
    post({ kind: 'failed', requestId, error: described(fault) });
  }
}

function described(fault) {
  if (!(fault instanceof Error)) return { errorType: typeof fault, errorMessage: typeof fault === 'string' ? fault : (JSON.stringify(fault) ?? String(fault)), trace: [] };
  return { errorType: fault.name || 'Error', errorMessage: fault.message, trace: (fault.stack ?? '').split('\n') };
}
